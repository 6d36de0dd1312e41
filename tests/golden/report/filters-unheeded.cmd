mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --kind disk --min 1us --wait 2
