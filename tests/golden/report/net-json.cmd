mktrace -o run.dat "$SCHEDULES/connections.txt" && ftwait report run.dat --net --json
