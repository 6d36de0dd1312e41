mktrace -o run.dat "$SCHEDULES/pool.txt" && terminal 80 ftwait report run.dat --graph && ftwait report run.dat --graph --tid 513 --tid 514 && ftwait report run.dat --graph --format dot
