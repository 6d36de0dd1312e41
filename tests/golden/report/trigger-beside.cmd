{ echo trigger 90000000000 80000000000 4 sum:lock\>5s/1s; grep -v ^trigger "$SCHEDULES/trigger.txt"; } > beside.txt && mktrace -o run.dat beside.txt && ftwait report run.dat --at trigger --waits
