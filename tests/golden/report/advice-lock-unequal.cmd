sed '/^ *44/s/440/444/' "$SCHEDULES/advice-lock.txt" > own.txt && mktrace -o run.dat own.txt && ftwait report run.dat --comm waiter | grep Advice
