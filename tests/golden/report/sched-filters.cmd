mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --sched --cpu 0 --min 10us --kind preempted --sort max
