awk -f "$SCHEDULES/advice-yield.awk" > y.txt && mktrace -o run.dat y.txt && ftwait report run.dat --comm yielder | head -n 10 && ftwait report run.dat --comm forced | head -n 10
