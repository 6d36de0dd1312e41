mktrace -o run.dat "$SCHEDULES/polling.txt" && ftwait report run.dat && ftwait report --chains --through-polls run.dat
