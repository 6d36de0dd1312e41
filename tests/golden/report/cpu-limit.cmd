mktrace -o run.dat "$SCHEDULES/cpu-limit.txt" && ftwait report run.dat --summary --critical-path=xz
