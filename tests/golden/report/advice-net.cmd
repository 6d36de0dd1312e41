mktrace -o run.dat "$SCHEDULES/advice-net.txt" && ftwait report run.dat --comm sender
