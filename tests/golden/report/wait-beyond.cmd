mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report --json --waits --wait 99 run.dat
