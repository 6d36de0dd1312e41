mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report --chains --comm mysqld --to 0.5ms run.dat
