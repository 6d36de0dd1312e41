mktrace -o run.dat "$SCHEDULES/advice-noted-weight.txt" && ftwait report run.dat | head -n 10
