mktrace -o run.dat "$SCHEDULES/futexes.txt" && ftwait report run.dat --lock && ftwait report run.dat --waits
