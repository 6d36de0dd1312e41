mktrace -o run.dat "$SCHEDULES/family.txt" && ftwait report run.dat --processes --format csv
