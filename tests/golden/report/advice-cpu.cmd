mktrace -o run.dat "$SCHEDULES/advice-cpu.txt" && ftwait report run.dat --comm control --to 0.085 && ftwait report run.dat --comm control --from 0.085 && ftwait report run.dat
