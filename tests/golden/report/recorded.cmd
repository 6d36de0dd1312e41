mktrace -o run.dat "$SCHEDULES/recorded.txt" && ftwait report run.dat --lock --memory --syscall && ftwait report run.dat --json --memory | grep recorded
