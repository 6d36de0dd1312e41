#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One recording a side with 12 turns each, between the marks of a program: diff --per finds that a turn
# of the newer one sleeps three times, not once; and not that anything changed between equal ones.
. "$(dirname "$0")/prelude.sh"

need trace-cmd

# turns FILE SLEEPS: a mark, a piece of work and so many short sleeps, 12 times
turns() {
	record -q -e sched,timer,syscalls -o "$1" -- sh -c '
		mark='"$tracing"'/instances/ftwait.$PPID/trace_marker
		for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
			echo "turn $turn" > "$mark"
			for sleep in $(seq '"$2"'); do sleep 0.02; done
		done'
	ended
	expect "status 0 of $1" [ "$status" -eq 0 ]
}

turns a.dat 1
turns b.dat 3
"$FTWAIT" diff --per mark:turn --by resource --json a.dat b.dat > diff.json
expect "it is compared" [ $? -eq 0 ]
expect "12 turns a side" [ "$(grep -c '"runs": 12, "per": "mark:turn"' diff.json)" -eq 2 ]
grep '"what": "timer nanosleep"' diff.json > row
expect "the sleeps" [ -s row ]
expect "once before, three times now" grep -q \
	'"count": {"old": 1.000000, "new": 3.000000, "shift": 2.000000' row
expect "which is sure" grep -q '"sure": true,.*"change": "more"' row
# a sleep is never shorter than it was asked to be
slept=$(sed -n 's/.*"total": {[^}]*"shift": \([0-9]*\)\..*/\1/p' row)
expect "40 ms more of sleep: $slept ns" [ "$slept" -ge 38000000 ]
# what a turn takes besides depends on the machine, and trace-cmd tells when the marks were written: the
# median of all differences between a new and an old turn
lengths() { # FILE
	trace-cmd report -t "$1" 2> /dev/null |
		sed -n 's/.* \([0-9]*\)\.\([0-9]*\): .* turn [0-9]*$/\1\2/p' |
		awk 'NR > 1 { printf "%d\n", $1 - last } { last = $1 }'
}
lengths a.dat > a.lengths
lengths b.dat > b.lengths
longer=$(awk 'NR == FNR { old[NR] = $1; next } { for (i in old) print $1 - old[i] }' \
	a.lengths b.lengths | sort -n | awk '{ of[NR] = $1 } END { printf "%d\n", (of[NR / 2] + of[NR / 2 + 1]) / 2 }')
shift=$(sed -n 's/.*"wall": {.*"shift": \([0-9]*\)\..*/\1/p' diff.json)
expect "longer by $longer ns: $shift ns" [ $((shift - longer)) -ge -1000 -a $((shift - longer)) -le 1000 ]
"$FTWAIT" diff --per mark:turn --by resource --json a.dat a.dat > same.json
expect "nothing else is sure" [ "$(grep -c '"sure": true' same.json)" -eq 0 ]
"$FTWAIT" diff --per mark:frame a.dat b.dat 2> errors
expect "no such mark is a failure" [ $? -eq 1 ]
expect "that says so" said 'wrote two marks that begin with "frame"'
finish
