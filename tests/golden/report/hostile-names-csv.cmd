mktrace -o run.dat "$SCHEDULES/hostile.txt" && ftwait report run.dat --waits --format csv
