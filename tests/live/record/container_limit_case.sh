#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A control group with a limit on CPU time that is made while recording, and entered by tasks that are
# neither COMMAND nor of -p, as when a container starts: its limit and its cpu.stat are noted, and what its
# task is held back for is no time in a run queue, although others keep the CPU busy meanwhile.
. "$(dirname "$0")/prelude.sh"

# the folder of the controller, in either version, that this user may make groups in
for root in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
	group=$root/ftwait-case-$$
	mkdir "$group" 2> errors || continue
	if [ -e "$group/cpu.max" ]; then
		limit() { echo '10000 100000' > "$group/cpu.max"; }
		break
	elif [ -e "$group/cpu.cfs_quota_us" ]; then
		limit() {
			echo 100000 > "$group/cpu.cfs_period_us" && echo 10000 > "$group/cpu.cfs_quota_us"
		}
		break
	fi
	rmdir "$group"
	group=
done
[ -d "$group" ] && rmdir "$group" || {
	echo "no control group with a CPU limit can be made"
	exit 77
}
trap 'kill $spinners 2> errors; sleep 0.2; rmdir "$group" 2> errors; scratch_remove' EXIT

spinners=
for _ in 1 2 3 4; do
	timeout -s KILL 20 sh -c 'while :; do :; done' &
	spinners="$spinners $!"
done
record -o start.dat -d 3s
begun
mkdir "$group" && limit
sh -c 'echo $$ > "$1/cgroup.procs"; exec timeout -s KILL 20 taskset -c 0 sh -c "while :; do :; done"' \
	sh "$group" &
spinners="$spinners $!"
ended
expect "it records" [ $status -eq 0 ]
counted=$(awk '$1 == "throttled_time" { print $2 } $1 == "throttled_usec" { print $2 * 1000 }' \
	"$group/cpu.stat")
noted=$(grep -a '^cpu-limit' start.dat | awk -v group="$group" '$8 == group { print $4, $6, $7 }')
placed=$("$FTWAIT" report --all --summary --format json start.dat | grep -o '"throttled_ns": [0-9]*' |
	awk '$2 > most { most = $2 } END { printf "%.0f\n", most }') # the sum of all tasks is the largest
expect "cpu.stat counts ($counted), and it is noted ($noted)" [ "${noted#* }" = "w -" ]
expect "at most what it counts by now" [ "${noted%% *}" -le "$counted" ]
expect "it was held back at all" [ "${noted%% *}" -gt 100000000 ]
expect "most of that is placed ($placed of ${noted%% *})" [ "$placed" -gt $((${noted%% *} / 2)) ]
finish
