mktrace -o run.dat "$SCHEDULES/own-name.txt" && ftwait report run.dat --tid 101 && ftwait report run.dat --tid 201 --from 0.087
