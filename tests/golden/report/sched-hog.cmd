mktrace -o run.dat "$SCHEDULES/run-queue.txt" && ftwait report run.dat --sched
