mktrace -o run.dat "$SCHEDULES/programs.txt" && ftwait report run.dat --processes --json
