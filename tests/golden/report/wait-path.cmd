mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --wait 2 --critical-path
