mktrace -o run.dat "$SCHEDULES/slice.txt" && ftwait report run.dat --tid 101
