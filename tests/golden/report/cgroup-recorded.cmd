mktrace -o run.dat "$SCHEDULES/cgroup-recorded.txt" && ftwait report run.dat | sed -n '/^Tasks/,/^$/p'
