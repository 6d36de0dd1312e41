mktrace -o run.dat "$SCHEDULES/programs.txt" && ftwait report run.dat --processes --waits --sched && terminal 80 ftwait report run.dat --processes
