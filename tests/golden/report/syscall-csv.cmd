mktrace -o run.dat "$SCHEDULES/calls.txt" && ftwait report run.dat --syscall --format csv > csv && cut -d, -f-20 csv
