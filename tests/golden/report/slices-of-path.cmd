mktrace -o run.dat "$SCHEDULES/slices-of-path.txt" && ftwait report run.dat
