mktrace -o run.dat "$SCHEDULES/advice-stall.txt" && ftwait report run.dat --comm client
