#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One recording a side with 12 turns each, between the marks of a program: diff --per finds that a turn
# of the newer one sleeps three times, not once; and not that anything changed between equal ones.
. "$(dirname "$0")/prelude.sh"

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
shift=$(sed -n 's/.*"wall": {.*"shift": \([0-9]*\)\..*/\1/p' diff.json)
expect "40 ms longer: $shift ns" [ "$shift" -ge 38000000 ]
"$FTWAIT" diff --per mark:turn --by resource --json a.dat a.dat > same.json
expect "nothing else is sure" [ "$(grep -c '"sure": true' same.json)" -eq 0 ]
"$FTWAIT" diff --per mark:frame a.dat b.dat 2> errors
expect "no such mark is a failure" [ $? -eq 1 ]
expect "that says so" said 'wrote two marks that begin with "frame"'
finish
