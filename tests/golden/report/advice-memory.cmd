mktrace -o run.dat "$SCHEDULES/advice-memory.txt" && ftwait report run.dat --comm A | head -n 12
