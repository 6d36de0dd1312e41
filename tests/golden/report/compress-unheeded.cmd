mktrace -o run.dat "$SCHEDULES/advice-cpu.txt" && ftwait report run.dat --compress --format csv --graph > /dev/null
