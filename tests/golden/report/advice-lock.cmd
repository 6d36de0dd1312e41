mktrace -o run.dat "$SCHEDULES/advice-lock.txt" && ftwait report run.dat --comm waiter
