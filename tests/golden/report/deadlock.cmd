# two tasks that wait for each other's lock when the trace ends; with a history, of a window, of one
sed '/^---$/,$d' "$SCHEDULES/../../vectors/F39-deadlock-of-locks.vec" | mktrace -o run.dat
ftwait report run.dat --summary --waits
ftwait report run.dat --from 0.00000004 --summary | sed -n '/^Likely/p; /^Longest/,/^Most:/p'
ftwait report run.dat --to 0.00000004 --summary | sed -n '/^Likely/p; /^Longest/,/^Most:/p'
ftwait report run.dat --comm B --summary | sed -n '/^Likely/p; /^Longest/,/^Most:/p'
