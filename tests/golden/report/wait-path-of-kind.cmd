mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --critical-path=601 --wait 1 --kind disk
