mktrace -o run.dat "$SCHEDULES/midnight.txt" && TZ=EST5 ftwait report run.dat --waits --format csv --to 18:59:56
