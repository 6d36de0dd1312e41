mktrace -o run.dat "$SCHEDULES/lossy.txt" && ftwait report run.dat --waits --strict
