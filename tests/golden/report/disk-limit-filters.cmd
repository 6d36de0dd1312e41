mktrace -o run.dat "$SCHEDULES/disk-limit.txt" && ftwait report run.dat --disk --pid 105 --from 0.00007
