for i in 1 2 3 4 5 6; do mktrace -o old$i.dat "$SCHEDULES/disks.txt"; mktrace -o new$i.dat "$SCHEDULES/database.txt"; done; ftwait diff old?.dat -- new?.dat; ftwait diff old1.dat new1.dat --by task
