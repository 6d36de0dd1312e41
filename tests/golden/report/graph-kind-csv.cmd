mktrace -o run.dat "$SCHEDULES/knots.txt" && ftwait report run.dat --graph --kind disk --format csv
