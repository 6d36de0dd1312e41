mktrace -o run.dat "$SCHEDULES/midnight.txt" && TZ=UTC0 terminal 60 ftwait report run.dat --absolute --waits --timeline
