#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The shots of a flight recorder have each event that a plain recording beside it has of their time,
# also where they are read from the middle of the ring; and they know a process that began long
# after the recorder, with its name.
. "$(dirname "$0")/prelude.sh"

need jq
need ps
need trace-cmd
load=
without=
trap '[ -z "$load" ] || kill -9 $load 2> /dev/null; scratch_remove' EXIT

# events FILE: "CPU NS EVENT" for each switch, wakeup, timer, fork and exit. What each instance reads for
# itself when it records an event is left out, as it may change in between: the state that a task leaves
# the CPU in, and the jiffies (now=) at which a timer expires.
events() {
	trace-cmd report -t "$1" 2> /dev/null | awk -v without="$without" '
		match($0, / \[[0-9]+\] /) {
			cpu = substr($0, RSTART + 2, RLENGTH - 4)
			rest = substr($0, RSTART + RLENGTH)
			if (!match(rest, /[0-9]+\.[0-9]+: /))
				next
			at = substr(rest, RSTART, RLENGTH - 2)
			sub(/\./, "", at)
			what = substr(rest, RSTART + RLENGTH)
			sub(/\] [A-Z+|]* ==>/, "] ==>", what)
			sub(/ now=[0-9]+/, "", what)
			gsub(/ +/, " ", what)
			if (without == "" || index(what, without) != 1)
				print cpu, at, what
		}'
}

# has_all SHOT: whether it has all events of `plain` within its time, but for 5 ms at either end, as
# each recording has times of its own for the same event. Counts those events.
has_all() {
	events "$1" > shot
	cat shot plain | awk -v shots="$(wc -l < shot)" '
		{ at = $2; key = $1; for (i = 3; i <= NF; i++) key = key " " $i }
		NR <= shots {
			if (!(($1) in first)) first[$1] = at
			last[$1] = at
			have[key]++
			next
		}
		NR == shots + 1 {
			for (cpu in first) {
				if (begin == "" || first[cpu] > begin) begin = first[cpu]
				if (end == "" || last[cpu] < end) end = last[cpu]
			}
		}
		at > begin + 5000000 && at < end - 5000000 {
			asked++
			if (++seen[key] > have[key] && missing++ < 5) print "missing: " at " " key
		}
		END { print asked " events" > "count"; exit missing > 0 || asked < 300 }'
}

env --default-signal "$FTWAIT" record -e sched -o plain.dat 2> plain_errors &
plain=$!
expect "the plain one begins" await 30 traces "$plain"
record -e sched --ring=1s --after=0s -o whole.dat
flight_begun
flight=$recorder
# the ring is full, and after as long again, as each shot is taken, nothing is in it that was in the last one
sleep 1.5
cp "$(readlink -f /bin/sh)" latecomer
./latecomer -c 'while :; do sleep 0.02; done' &
load=$!
for number in 1 2; do
	sleep 1.5
	"$FTWAIT" shot "$flight" > asked
	expect "shot $number" await 10 said "shot $number: "
done
kill -INT "$plain"
wait "$plain"
expect "plain: status 0" [ $? = 0 ]
kill -INT "$flight"
wait "$flight"
expect "flight: status 0" [ $? = 0 ]

for number in 1 2; do
	"$FTWAIT" report whole.$number.dat --processes --json > processes.json 2> /dev/null
	jq -e --argjson pid "$load" '[.. | objects | select(.tid? == $pid and .tgid? == $pid and
		.comm? == "latecomer")] | length > 0' processes.json > found
	expect "shot $number: the late process is known" [ $? = 0 ]
done
grep -q ' 0 lost' plain_errors && grep -q ' 0 lost' errors || { echo "events were lost"; exit 77; }
if is_incomplete plain.dat || is_incomplete whole.1.dat || is_incomplete whole.2.dat; then
	# which ones, is not the same in each instance
	without=sched_switch:
fi
events plain.dat > plain
for number in 1 2; do
	expect "shot $number has all events of its time" has_all whole.$number.dat
done
finish
