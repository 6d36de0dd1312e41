mktrace -o run.dat "$SCHEDULES/disk-names.txt"
ftwait report run.dat --disk
ftwait report run.dat --waits --chains | sed -n '3,$p'
ftwait report run.dat --graph | sed -n '3,$p'
ftwait report run.dat --wakeups | grep -w disk
ftwait report run.dat --folded --chains
ftwait report run.dat --json --waits --disk --wakeups | jq -c '(.waits[].cause | [.kind, .dev, .disk]),
	(.disk.devices[], .disk.directions[], .disk.requests[], .disk.contention[] | [.dev, .disk]),
	(.wakeups.sources[] | select(.kind == "disk") | [.name, .disk])'
ftwait report run.dat --summary --all | sed -n "3,14p"
