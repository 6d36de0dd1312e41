mktrace -o run.dat "$SCHEDULES/calls.txt" && ftwait report run.dat --syscall --from 140us --to 160us --kind task,irq
