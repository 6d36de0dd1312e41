mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --from 2ms --to 1ms --waits
