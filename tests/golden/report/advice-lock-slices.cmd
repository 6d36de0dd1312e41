mktrace -o run.dat "$SCHEDULES/advice-lock-slices.txt" && ftwait report run.dat --comm waiter
