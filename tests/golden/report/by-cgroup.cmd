mktrace -o run.dat "$SCHEDULES/services.txt" &&
ftwait report run.dat --summary --sched --disk --lock --by cgroup |
sed -n '/^Control groups/,/^Tasks/p;/^Groups/,/^[STL]/p' &&
ftwait report run.dat --summary --sched --disk --lock --by cgroup --json | sed -n '/"groups"/,/\],$/p' &&
ftwait report run.dat --sched --by cgroup --cgroup nightly-backup.service --format csv | grep -A 3 groups
