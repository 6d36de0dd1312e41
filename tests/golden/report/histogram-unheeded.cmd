mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --chains --by comm --histogram --top 1
