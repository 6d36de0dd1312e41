mktrace -o run.dat "$SCHEDULES/file-locks.txt"
ftwait report run.dat --json --waits --chains --lock | jq -c '(.waits[] | [.task.comm, .cause.kind, .cause.file, .cause.name]),
	(.chains[] | [.links[].cause.file]), (.lock.locks[] | [.kind, .address, .file, .name, .dev, .inode])'
ftwait report run.dat --lock --waits --format csv
