mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --critical-path=client --from 1ms --to 2ms
