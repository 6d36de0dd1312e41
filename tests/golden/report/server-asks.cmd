mktrace -o run.dat "$SCHEDULES/server-asks.txt" && ftwait report run.dat --tid 101
