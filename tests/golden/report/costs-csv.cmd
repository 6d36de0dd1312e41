mktrace -o run.dat "$SCHEDULES/disks.txt" && ftwait report run.dat --costs --format csv
