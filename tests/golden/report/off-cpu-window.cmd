mktrace -o run.dat "$SCHEDULES/stacks.txt" && ftwait report run.dat --off-cpu --from 0.00005 --to 0.0002
