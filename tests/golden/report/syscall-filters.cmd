mktrace -o run.dat "$SCHEDULES/calls.txt" && ftwait report run.dat --syscall='f*,epoll_wait' --comm db --min 5us --sort count
