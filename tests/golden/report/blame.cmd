mktrace -o run.dat "$SCHEDULES/services.txt" && ftwait report run.dat --blame | sed -n '3,/^$/p' &&
ftwait report run.dat --blame --cgroup web.service --json | sed -n '/"blame"/,/^  }/p' &&
ftwait report run.dat --blame --sort disk_queue --format csv | sed -n '/^$/,$!p' | head -n 6 &&
terminal 60 ftwait report run.dat --blame --from 0.03 --to 0.07
