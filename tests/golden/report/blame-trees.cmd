mktrace -o run.dat "$SCHEDULES/trees.txt" && ftwait report run.dat --blame --summary --by cgroup --all |
sed -n '/^Process trees/,/^Tasks/p;/^Blame/,/^$/p' &&
ftwait report run.dat --blame --json | sed -n '/"blame"/,/^  }/p' | head -n 4
