mktrace -o run.dat "$SCHEDULES/advice-weight.txt" && ftwait report run.dat --comm low | head -n 10 && ftwait report run.dat --comm twin | head -n 10
