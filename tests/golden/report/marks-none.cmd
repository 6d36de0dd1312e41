mktrace -o run.dat "$SCHEDULES/family.txt" && ftwait report run.dat --from 10parsecs
