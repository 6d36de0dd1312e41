mktrace -o run.dat "$SCHEDULES/hang.txt"
ftwait report run.dat --summary --all | sed -n '3,8p'
ftwait report run.dat --tid 104 --chains | sed -n '3,$p'
ftwait report run.dat --all --json | jq -c '.summary.hangs[] | [.task.comm, .state, .since_ns, .cause.kind, .kind, .address, .inode, .path, .holder.comm, [.circle[]?.comm], .open, .text]'
# a hung task that only a task waits for that nobody asked about has its own sentence
sed 's/^waits idle .*/waits idle 0 0 S wait4 do_wait child 104/' "$SCHEDULES/hang.txt" | mktrace -o behind.dat
ftwait report behind.dat --summary --tid 104 | sed -n '4p'
ftwait report behind.dat --summary --tid 104,106 | sed -n '4,5p'
# a shell waits for any of its children
sed 's/^waits idle .*/waits idle 0 0 S wait4 do_wait child 104,105/' "$SCHEDULES/hang.txt" | mktrace -o any.dat
ftwait report any.dat --summary --tid 106 | sed -n '3,5p'
# the wait-for graph has the deadlock, too
ftwait report run.dat --all --graph | sed -n '/Deadlock/p'
