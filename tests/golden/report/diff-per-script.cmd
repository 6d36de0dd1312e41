for sleep in 100 200; do awk -v sleep=$sleep -f "$SCHEDULES/turns-by-script.awk" > turns.txt; mktrace -o $sleep.dat turns.txt; done; ftwait diff 100.dat 200.dat --per mark:turn
