mktrace -o run.dat "$SCHEDULES/frozen.txt" && ftwait report run.dat
