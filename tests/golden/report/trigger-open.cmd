sed "s/^trigger 10312/trigger 10200/" "$SCHEDULES/trigger.txt" > open.txt && mktrace -o run.dat open.txt && ftwait report run.dat --at trigger --critical-path --waits
