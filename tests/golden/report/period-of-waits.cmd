mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --period 400us --comm mysqld
