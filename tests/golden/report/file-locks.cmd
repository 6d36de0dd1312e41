mktrace -o run.dat "$SCHEDULES/file-locks.txt"
ftwait report run.dat --lock
ftwait report run.dat --waits --chains --graph | sed -n '3,$p'
ftwait report run.dat --folded --chains
