mktrace -o run.dat "$SCHEDULES/timers.txt" && ftwait report run.dat --timers
