mktrace -o run.dat "$SCHEDULES/three-cpus.txt" && ftwait report run.dat --waits -C 0,2
