mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report --sumary run.dat
