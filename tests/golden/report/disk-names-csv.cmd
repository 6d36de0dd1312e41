mktrace -o run.dat "$SCHEDULES/disk-names.txt"
ftwait report run.dat --waits --disk --wakeups --format csv
