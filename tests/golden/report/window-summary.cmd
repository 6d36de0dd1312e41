mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --from 1ms --to 1.2ms
