mktrace -o run.dat "$SCHEDULES/hang-ends.txt"
ftwait report run.dat --summary | sed -n '3,5p'
ftwait report run.dat --all --json | jq -c '.summary.hangs[] | [.task.comm, .kind, .aim.kind, .aim.name, .aim.peer, [.aim.holders[].comm], .text]'
