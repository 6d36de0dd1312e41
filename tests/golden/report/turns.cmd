mktrace -o run.dat "$SCHEDULES/turns.txt" && ftwait report run.dat --tid 101 && ftwait report run.dat --tid 101 --from 0.05
