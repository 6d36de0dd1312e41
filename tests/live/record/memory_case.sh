#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A control group with little memory: told by doctor; a recorder says so before it is killed, and a
# report when its memory ends, with one line and status 1.
. "$(dirname "$0")/prelude.sh"

hierarchy=$(awk '$3 == "cgroup" && $4 ~ /(^|,)memory(,|$)/ { print $2; exit }' /proc/mounts)
limit=memory.limit_in_bytes
if [ -z "$hierarchy" ]; then
	hierarchy=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
	limit=memory.max
fi
group=$hierarchy/ftwait-test-$$
if [ -z "$hierarchy" ] || ! mkdir "$group" 2> /dev/null; then
	echo "no control group can be made here"
	exit 77
fi
trap 'rmdir "$group"; scratch_remove' EXIT
if [ ! -e "$group/$limit" ]; then
	echo "control groups limit no memory here"
	exit 77
fi

within() { # BYTES COMMAND...
	echo "$1" > "$group/$limit"
	shift
	sh -c 'echo $$ > "$0/cgroup.procs" && exec "$@"' "$group" "$@"
}

within 8388608 "$FTWAIT" record -o none.dat -d 100ms 2> errors
expect "8 MiB: status 1" [ $? -eq 1 ]
expect "8 MiB: one line" [ "$(lines)" = 1 ]
expect "8 MiB: which says why" said "^ftwait: $group/$limit leaves 8.0 MiB of memory, and a recorder needs"
within 33554432 "$FTWAIT" record -q -o run.dat -d 300ms
expect "32 MiB: it records" [ $? -eq 0 ]
within 33554432 "$FTWAIT" doctor > findings
expect "doctor tells of it" grep -q "memory limit .*$group/$limit: 32.0 MiB" findings
# 400,000 events, in which two tasks wait 200,000 times
awk 'BEGIN { print "tasks A=101 B=102"; for (t = 10; t < 4000000; t += 40) print t "/0 A sched_switch A:S > B\n" \
	t + 10 "/0 B sched_waking A\n" t + 20 "/0 B sched_switch B:S > A\n" t + 30 "/0 A sched_waking B" }' > long.txt
"$(dirname "$FTWAIT")/mktrace" -o long.dat long.txt
within 8388608 "$FTWAIT" report --waits -o out long.dat 2> errors
status=$?
expect "report in 8 MiB: status 1, not killed" [ $status -eq 1 ]
expect "report: one line" [ "$(lines)" = 1 ]
expect "report: with the limit and a mend" \
	said "^ftwait: report: out of memory: at most 8.0 MiB ($group/$limit); ask for views that do not"
within 8388608 "$FTWAIT" report --sched -o out long.dat 2> errors
expect "the mend helps" [ $? -eq 0 ]
expect "without a word" [ ! -s errors ]
finish
