mktrace -o run.dat "$SCHEDULES/files.txt"
ftwait report run.dat --json --waits --disk --chains | jq -c '(.waits[] | select(.cause.inode) | [.task.comm, .cause.kind, .cause.file, .cause.inode, .cause.inode_dev, .cause.fsync]),
	(.disk.files[]), (.disk.requests[] | [.sector, .file, .inode, .inode_dev, .fsync]), (.chains[].links[].cause | select(. and .inode))'
ftwait report run.dat --waits --disk --format csv | sed -n '/^# disk.files/,/^$/p; /^# disk.requests/,/^$/p; /^# waits/,$p'
