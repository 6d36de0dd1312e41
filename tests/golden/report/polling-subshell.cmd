mktrace -o run.dat "$SCHEDULES/polling-subshell.txt" && ftwait report run.dat --processes --summary --critical-path=101 && ftwait report run.dat --json --processes
