mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --timeline=client --critical-path=mysqld
