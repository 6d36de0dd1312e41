#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two control groups: the tasks of the one keep a CPU and a disk busy, which the other one needs.
# --blame must name the right one; how long the victim stood in run queues is in schedstat.
# alone: measures which group has how much of one CPU and of the disk
. "$(dirname "$0")/prelude.sh"

need taskset
need bash
hierarchy=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
web=$hierarchy/ftwait-web-$$.service
backup=$hierarchy/ftwait-backup-$$.service
if [ -z "$hierarchy" ] || ! mkdir "$web" "$backup" 2> /dev/null; then
	echo "no control group can be made here"
	exit 77
fi
tasks=
halt() {
	for task in $tasks; do
		kill "$task" 2> /dev/null
	done
	for task in $tasks; do
		wait "$task" 2> /dev/null
	done
	tasks=
}
trap 'halt; await 20 rmdir "$web"; await 20 rmdir "$backup"; scratch_remove' EXIT

# within GROUP COMMAND...: in the background
within() {
	sh -c 'echo $$ > "$0/cgroup.procs" && exec "$@"' "$@" > /dev/null 2>&1 &
	tasks="$tasks $!"
}
# run delays of all threads of the group, in ns
delays() {
	for pid in $(cat "$web/cgroup.procs"); do
		cat /proc/"$pid"/task/*/schedstat 2> /dev/null
	done | awk '{ sum += $2 } END { printf "%.0f\n", sum }'
}
# cost KEY [BY]: in ms, what the web group lost; to that group, or to all
cost() {
	tr -d '{}"' < blame.json | awk -v key="$1" -v wanted="${2:-}" -F', ' '/^ *group: / {
		for (i = 1; i <= NF; i++) {
			if (split($i, part, ": ") != 2) continue
			if (part[1] == "by") by = part[2]
			if (part[1] == key && (wanted == "" || by == wanted)) sum += part[2]
		} }
		END { printf "%.0f\n", sum / 1e6 }'
}
# used GROUP: CPU time in ms
used() {
	awk '/^usage_usec/ { printf "%.0f\n", $2 / 1000 }' "$1/cpu.stat"
}

for i in 1 2 3 4; do
	within "$backup" taskset -c 0 sh -c 'while :; do :; done # '$i
done
# one process, which works and pauses
mkfifo pause
within "$web" taskset -c 0 bash -c 'exec 3<> pause
	while :; do for ((i = 0; i < 20000; i++)); do :; done; read -r -t 0.005 -u 3; done'
await 20 grep -q . "$web/cgroup.procs"
sleep 1
before=$(delays) used_before=$(used "$backup")
record -o cpu.dat -d 2s -b 8M
ended
after=$(delays) used_after=$(used "$backup")
expect "CPU: it records" [ $status -eq 0 ]
"$FTWAIT" report cpu.dat --blame --all --cgroup "$(basename "$web")" --json > blame.json
# the recorder takes longer than what it records
delay=$(((after - before) / 1000000)) all=$(cost run_queue_ns)
expect "CPU: $all ms of at most $delay ms in run queues" [ "$all" -le $((delay + 50)) ]
expect "CPU: $all ms, most of $delay ms in run queues" [ "$all" -ge $((delay / 3)) ]
used=$((used_after - used_before)) lost=$(cost run_queue_ns "$(basename "$backup")")
expect "CPU: $lost ms of at most $used ms of CPU time of the other group" \
	[ "$lost" -le $((used + 50)) ]
# all that it used while the web group, of 2 s, stood in the run queue for so long
expect "CPU: $lost ms, nearly all of $used ms while $all ms in run queues" \
	[ "$lost" -ge $((used * all / 6000)) ]
halt

dd if=/dev/zero of=data bs=1M count=64 conv=fsync 2> /dev/null
if ! dd if=data of=/dev/null iflag=direct bs=4k count=1 2> /dev/null; then
	echo "no direct reads here: the disk is not tried"
	finish
fi
# eight readers of large pieces, each from another place on, and one of small pieces
for i in 0 1 2 3 4 5 6 7; do
	# shellcheck disable=SC2016 # of the inner shell
	within "$backup" sh -c 'while :; do
		dd if=data of=/dev/null iflag=direct bs=1M skip="$0"
		dd if=data of=/dev/null iflag=direct bs=1M count="$0"
	done' $((8 * i))
done
within "$web" sh -c 'while :; do dd if=data of=/dev/null iflag=direct bs=4k; done'
await 20 grep -q . "$web/cgroup.procs"
sleep 2
record -o disk.dat -d 1s -b 8M -e block
ended
expect "disk: it records" [ $status -eq 0 ]
"$FTWAIT" report disk.dat --blame --all --cgroup "$(basename "$web")" --json > blame.json
all=$(cost disk_queue_ns) lost=$(cost disk_queue_ns "$(basename "$backup")")
expect "disk: it waited behind others" [ "$all" -gt 0 ]
expect "disk: $lost of $all ms behind the right one" [ "$lost" -ge $((all * 6 / 10)) ]
finish
