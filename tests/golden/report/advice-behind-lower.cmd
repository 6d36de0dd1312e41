mktrace -o run.dat "$SCHEDULES/advice-behind-lower.txt" && ftwait report run.dat --comm rt | head -n 12
