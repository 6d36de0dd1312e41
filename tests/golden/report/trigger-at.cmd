mktrace -o run.dat "$SCHEDULES/trigger.txt" && ftwait report run.dat --at trigger --critical-path --timeline --waits
