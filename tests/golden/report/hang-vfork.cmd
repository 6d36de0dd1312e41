mktrace -o run.dat "$SCHEDULES/hang-vfork.txt" && ftwait report run.dat --comm parent | sed -n 3,7p && ftwait report run.dat --json | sed -n '/"hangs"/,/\]/p'
