mktrace -o run.dat "$SCHEDULES/advice-idle-cpu.txt" && ftwait report run.dat --comm waker-up
