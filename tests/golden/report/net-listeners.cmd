mktrace -o run.dat "$SCHEDULES/listeners.txt" && ftwait report run.dat --net | sed -n 4,/^Requests/p && ftwait report run.dat --waits | grep net
