mktrace -o run.dat "$SCHEDULES/pipes.txt" && ftwait report run.dat --disk
