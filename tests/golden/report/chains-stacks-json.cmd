mktrace -o run.dat "$SCHEDULES/stacks.txt" && ftwait report run.dat --chains --json --comm waiter
