#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A shell that looks every 0.1 s whether its worker lives waits for the worker, however it starts
# the children that sleep for it (dash does so by vfork).
. "$(dirname "$0")/prelude.sh"
need jq

need chrt
# On a very busy machine the shell would start fewer than five of its sleeps in that second, which prove nothing:
# so it and they get a CPU before all others; what it waits for does not. Where the kernel leaves out switches of
# the recording, a sleep may be missing: then again.
for _ in 1 2 3; do
	record -o a.dat -- chrt -f 1 sh -c 'chrt -o 0 timeout 1 sh -c "while :; do :; done" &
		while kill -0 $! 2> /dev/null; do sleep 0.1; done'
	ended
	expect "status 0" [ $status -eq 0 ]
	"$FTWAIT" report a.dat --json > report
	sleeps=$(jq '[.summary.costs[] | .tasks[]? | select(.comm == "sleep") | .total_ns] | add // 0' report)
	life=$(jq '[.summary.costs[].total_ns] | add' report)
	[ "$sleeps" -ge $((life / 10)) ] && is_incomplete a.dat || break
done
expect "at most a tenth is sleep's: $sleeps of $life" [ "$sleeps" -lt $((life / 10)) ]

# a subshell that works and executes a short program last is named by its work
record -o b.dat -- nice -n -20 sh -c '( end=$(($(date +%s%N) / 1000000 + 500))
	while [ $(($(date +%s%N) / 1000000)) -lt $end ]; do i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; done
	exec true ) &
	while kill -0 $! 2> /dev/null; do sleep 0.02; done'
ended
expect "status 0" [ $status -eq 0 ]
"$FTWAIT" report b.dat --json > report
expect "nobody is called true for that" [ "$(jq '[.summary.tasks[] | select(.task.comm == "true")] | length' report)" -eq 0 ]
expect "the polled child is a shell" [ "$(jq '[.summary.tasks[] | select(.task.comm == "sh")] | length' report)" -eq 2 ]
finish
