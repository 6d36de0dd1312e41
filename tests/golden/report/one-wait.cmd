mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report --wait 1 --critical-path run.dat
