mktrace -o run.dat "$SCHEDULES/trigger.txt" && ftwait report run.dat --format csv --waits --at trigger
