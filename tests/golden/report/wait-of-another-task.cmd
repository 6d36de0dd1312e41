mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --critical-path=client --wait 2
