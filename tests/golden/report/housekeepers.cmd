mktrace -o run.dat "$SCHEDULES/housekeepers.txt" && ftwait report run.dat
