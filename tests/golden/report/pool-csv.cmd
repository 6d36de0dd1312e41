mktrace -o run.dat "$SCHEDULES/pool.txt" && ftwait report run.dat --graph --chains --off-cpu --format csv
