mktrace -o run.dat "$SCHEDULES/paths.txt"
ftwait report run.dat --syscall | sed -n '/^Files/,/^Latency/p'
ftwait report run.dat --syscall=open*,rename --comm app | sed -n '/^Files/,/^Latency/p'
