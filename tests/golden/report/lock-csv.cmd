mktrace -o run.dat "$SCHEDULES/locks.txt" && ftwait report run.dat --lock --format csv
