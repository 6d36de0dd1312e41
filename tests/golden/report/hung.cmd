mktrace -o run.dat "$SCHEDULES/hung.txt" && ftwait report run.dat --summary
ftwait report run.dat --summary --comm B | grep ^Still
ftwait report run.dat --summary --comm W | grep ^Still
sed '/^---$/,$d' "$SCHEDULES/../../vectors/F39-open-lock.vec" | mktrace -o run.dat
ftwait report run.dat --summary | sed -n '/^Longest/,/^Together/p'
