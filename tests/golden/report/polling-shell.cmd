mktrace -o run.dat "$SCHEDULES/polling-shell.txt" && ftwait report run.dat --tid 101 && ftwait report --chains --through-polls run.dat --tid 101
