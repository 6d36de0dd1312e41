mktrace -o run.dat "$SCHEDULES/calls.txt"
# how often is known on a narrow terminal, too
terminal 80 ftwait report run.dat --syscall | sed -n "4,/^Calls of all/p"
