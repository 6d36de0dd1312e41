mktrace -o run.dat "$SCHEDULES/wakeups.txt" && ftwait report run.dat --wakeups --json
