mktrace -o run.dat "$SCHEDULES/hang-old-looks.txt"
ftwait report run.dat --summary | sed -n '3,/^Look/p'
ftwait report run.dat --all --json | jq -c '.summary.hangs[] | [.task.comm, .state, .since_ns, .kind, .path, .holder.comm, .open, .text]'
ftwait report run.dat --all --json | jq -c '.summary.tasks[].task | [.tid, .comm]'
