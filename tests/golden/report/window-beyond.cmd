mktrace -o run.dat "$SCHEDULES/woken-early.txt" && ftwait report run.dat --from 20s --json --waits
