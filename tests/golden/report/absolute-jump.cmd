mktrace -o run.dat "$SCHEDULES/clock-set.txt" && TZ=UTC0 ftwait report run.dat --waits --absolute --verbose
