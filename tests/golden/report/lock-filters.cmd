mktrace -o run.dat "$SCHEDULES/locks.txt" && ftwait report run.dat --lock --comm reader --from 400ms --min 2us --sort count
