mktrace -o run.dat "$SCHEDULES/cycles.txt" && ftwait report run.dat --cycles --period 90us --comm control --format csv
