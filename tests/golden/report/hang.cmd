mktrace -o run.dat "$SCHEDULES/hang.txt"
ftwait report run.dat --summary --all | sed -n '3,8p'
ftwait report run.dat --tid 104 --chains | sed -n '3,$p'
ftwait report run.dat --all --json | jq -c '.summary.hangs[] | [.task.comm, .state, .kind, .address, .inode, .path, .owner.comm, .circle, .open, .text]'
