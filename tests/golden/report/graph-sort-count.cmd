mktrace -o run.dat "$SCHEDULES/knots.txt" && ftwait report run.dat --graph --sort count --top 2
