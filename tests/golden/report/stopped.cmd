mktrace -o run.dat "$SCHEDULES/stopped.txt" && ftwait report run.dat && ftwait report run.dat --waits --tid 300,501 && ftwait report run.dat --tid 501 | grep "^Longest"
