mktrace -o run.dat "$SCHEDULES/midnight.txt" && TZ=EST5 ftwait report run.dat --waits --json --from 18:59:55 --absolute
