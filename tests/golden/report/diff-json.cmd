mktrace -o old.dat "$SCHEDULES/disks.txt" && mktrace -o new.dat "$SCHEDULES/database.txt" && ftwait diff old.dat new.dat --json --by resource --least 10%
