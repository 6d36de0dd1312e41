mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report --waits --tid 601 --kind disk run.dat
