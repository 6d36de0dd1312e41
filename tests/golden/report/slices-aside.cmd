mktrace -o run.dat "$SCHEDULES/slices-aside.txt" && ftwait report run.dat
