mktrace -o run.dat "$SCHEDULES/advice-disk.txt" && ftwait report run.dat --comm reader && ftwait report run.dat --comm bulk
