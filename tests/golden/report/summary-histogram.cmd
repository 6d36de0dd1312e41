mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --summary --histogram --top 12
