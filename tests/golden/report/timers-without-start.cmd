# only expiries are recorded: --timers does not deny what --waits shows
mktrace -o run.dat "$SCHEDULES/timers-without-start.txt" && ftwait report run.dat --timers --waits | grep -iE 'timer'
