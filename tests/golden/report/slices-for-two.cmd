mktrace -o run.dat "$SCHEDULES/slices-for-two.txt" && ftwait report run.dat --tid 101
