mktrace -o run.dat "$SCHEDULES/advice-late-timer.txt" && ftwait report run.dat | head -n 12 && ftwait report run.dat --comm rtloop | grep Advice
