mktrace -o run.dat "$SCHEDULES/cpu-limit-unplaced.txt" && ftwait report run.dat
