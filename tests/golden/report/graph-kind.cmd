mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report --graph --kind disk run.dat
