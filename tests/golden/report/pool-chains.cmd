mktrace -o run.dat "$SCHEDULES/pool.txt" && terminal 80 ftwait report run.dat --chains && ftwait report run.dat --chains --comm worker-1
