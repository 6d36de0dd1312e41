mktrace -o run.dat "$SCHEDULES/disks.txt" && ftwait report run.dat --format rows && ftwait report run.dat --format rows --disk | head -n 1
