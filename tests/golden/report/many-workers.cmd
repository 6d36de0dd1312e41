mktrace -o run.dat "$SCHEDULES/many-workers.txt" && ftwait report run.dat --comm client
