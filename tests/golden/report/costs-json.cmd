mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --costs --json
