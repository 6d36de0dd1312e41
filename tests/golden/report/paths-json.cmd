mktrace -o run.dat "$SCHEDULES/paths.txt"
ftwait report run.dat --json --syscall | jq -c '.syscall | .files[], (.slowest[] | [.begin_ns, .name, .path, .to])'
ftwait report run.dat --syscall --format csv | sed -n '/^# syscall.files/,/^$/p; /^# syscall.slowest/,/^$/p'
