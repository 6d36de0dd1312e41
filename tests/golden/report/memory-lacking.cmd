mktrace -o run.dat "$SCHEDULES/interrupts.txt" && ftwait report run.dat --memory
