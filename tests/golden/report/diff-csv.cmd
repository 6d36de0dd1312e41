mktrace -o old.dat "$SCHEDULES/disks.txt" && ftwait diff old.dat old.dat --format csv --least 0
