mktrace -o run.dat "$SCHEDULES/cycles.txt" && ftwait report run.dat --cycles
