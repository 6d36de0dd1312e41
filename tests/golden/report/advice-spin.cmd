awk -v short=1 -f "$SCHEDULES/advice-yield.awk" > y.txt && mktrace -o run.dat y.txt && ftwait report run.dat --comm yielder | head -n 10
