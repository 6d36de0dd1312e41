mktrace -o run.dat "$SCHEDULES/stacks.txt" && ftwait report run.dat --off-cpu --format csv
