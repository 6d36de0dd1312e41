mktrace -o run.dat "$SCHEDULES/lossy.txt" && ftwait report run.dat --summary --waits --critical-path=101 --json
