mktrace -o run.dat "$SCHEDULES/polling-open.txt" && ftwait report run.dat --comm forker
