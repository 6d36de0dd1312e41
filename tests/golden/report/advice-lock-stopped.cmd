mktrace -o run.dat "$SCHEDULES/advice-lock-stopped.txt" && ftwait report run.dat --comm waiter | grep -E "Advice|Longest wait"
