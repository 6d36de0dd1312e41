mktrace -o run.dat "$SCHEDULES/kernel-thread-waits-most.txt" && ftwait report run.dat | grep "^Longest"
