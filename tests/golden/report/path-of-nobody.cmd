mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report --critical-path=nobody run.dat
