mktrace -o run.dat "$SCHEDULES/long-names.txt" && terminal 0 ftwait report run.dat --waits --top 3 && COLUMNS=60 terminal 80 ftwait report run.dat --waits --top 3
