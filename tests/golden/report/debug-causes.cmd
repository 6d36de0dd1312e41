mktrace -o run.dat "$SCHEDULES/long-names.txt" && ftwait report run.dat --all --waits --debug-causes 2>&1 > waits | head -8
