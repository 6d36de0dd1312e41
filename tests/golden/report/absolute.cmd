mktrace -o run.dat "$SCHEDULES/midnight.txt" && TZ=UTC0 ftwait report run.dat --absolute --critical-path --timeline --waits
