mktrace -o run.dat "$SCHEDULES/cycles.txt" && ftwait report run.dat --period 90us --comm control
