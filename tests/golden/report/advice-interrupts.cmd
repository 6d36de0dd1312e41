mktrace -o run.dat "$SCHEDULES/advice-interrupts.txt" && ftwait report run.dat --comm fed | head -n 12 && ftwait report run.dat --sched | head -n 16
