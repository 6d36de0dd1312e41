mktrace -o run.dat "$SCHEDULES/pool.txt" && terminal 80 ftwait report run.dat --off-cpu && ftwait report run.dat --off-cpu --comm worker-1 --comm worker-2
