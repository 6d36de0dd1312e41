mktrace -o run.dat "$SCHEDULES/stacks.txt" && ftwait report run.dat --chains --folded && ftwait report run.dat --chains --folded --no-stacks && ftwait report run.dat --chains
