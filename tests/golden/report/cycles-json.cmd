mktrace -o run.dat "$SCHEDULES/cycles.txt" && ftwait report run.dat --period 90us --tid 11 --json
