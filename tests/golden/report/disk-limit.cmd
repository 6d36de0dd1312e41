mktrace -o run.dat "$SCHEDULES/disk-limit.txt" && ftwait report run.dat --disk
