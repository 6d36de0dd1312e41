mktrace -o run.dat "$SCHEDULES/timers.txt" && ftwait report run.dat --timers --format csv --sort count --comm control,nap
