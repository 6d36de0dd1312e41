mktrace -o run.dat "$SCHEDULES/marks.txt" && ftwait report run.dat --processes --json
