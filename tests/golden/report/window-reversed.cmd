mktrace -o run.dat "$SCHEDULES/database.txt" && ftwait report run.dat --from 5 --to 1; echo $?; ftwait report run.dat --from 1ms --to 0.5ms --waits
