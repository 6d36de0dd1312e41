mktrace -o run.dat "$SCHEDULES/wakeups.txt" && ftwait report run.dat --wakeups --format csv --sort count --from 100us --comm logger
