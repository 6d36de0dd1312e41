mktrace -o run.dat "$SCHEDULES/cpu-not-recorded.txt" && ftwait report run.dat && ftwait report run.dat --timeline --by cpu
