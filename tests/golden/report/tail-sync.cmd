# a wait for a worker of the file system is for the disk where the task syncs a file, not in another call (getdents64)
awk -v requests=400 -v number=75 -f "$SCHEDULES/syncs-tail.awk" | mktrace -o run.dat; ftwait report run.dat --tail; awk -v requests=400 -v number=217 -f "$SCHEDULES/syncs-tail.awk" | mktrace -o run.dat; ftwait report run.dat --tail | sed -n 4,13p
