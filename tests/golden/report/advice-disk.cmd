mktrace -o run.dat "$SCHEDULES/advice-disk.txt" && ftwait report run.dat --comm reader && ftwait report run.dat --comm bulk && ftwait report run.dat --comm reader --evidence | grep -A 4 "^Advice"
