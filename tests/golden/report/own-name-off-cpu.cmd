mktrace -o run.dat "$SCHEDULES/own-name.txt" && ftwait report run.dat --off-cpu
