mktrace -o run.dat "$SCHEDULES/polling-shell.txt" && ftwait report run.dat --critical-path=101 && ftwait report run.dat --critical-path=101 --json | grep '"inferred": true' | head -n 1
