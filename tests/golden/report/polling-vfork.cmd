sed '/^---$/,$d' "$SCHEDULES/../../vectors/C-polls-by-vfork-children.vec" | mktrace -o run.dat && ftwait report run.dat --tid 101 | grep Polling
