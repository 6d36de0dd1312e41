mktrace -o run.dat "$SCHEDULES/cpu-limit.txt" && ftwait report run.dat --json --critical-path=xz
