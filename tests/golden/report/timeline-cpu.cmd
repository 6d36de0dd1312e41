# --cpu selects rows of CPUs; where rows are tasks, a warning says that it does nothing
mktrace -o run.dat "$SCHEDULES/three-cpus.txt"
ftwait report run.dat --timeline --cpu 1 2>&1 >/dev/null | sed 's/without --.* or --[a-z]* /without ... /'
ftwait report run.dat --timeline --by cpu --cpu 1 2>&1 | grep -E 'cpu|CPU ?[0-9]' 
