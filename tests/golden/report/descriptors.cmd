mktrace -o run.dat "$SCHEDULES/descriptors.txt"
ftwait report run.dat --syscall --top 0 | sed -n '/^Files/,/^Latency/p'
ftwait report run.dat --json --syscall | jq -c '.health.notes[0], (.syscall | .files[0], .open[0])'
