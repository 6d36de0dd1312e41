mktrace -o run.dat "$SCHEDULES/discards.txt" && ftwait report run.dat --disk | sed -n '/^Devices/,/^Tasks/p'
ftwait report run.dat --disk --json | jq -c '.disk | [.devices[].bytes], [.directions[] | [.direction, .bytes]]'
