mktrace -o run.dat "$SCHEDULES/calls.txt" && ftwait report run.dat --syscall --format csv
