mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report --chains --kind disk run.dat
