#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A flight recorder saves each stall that a program makes, once, with what came before; its shots
# have no gaps, not even where they overlap; and a wait that has not ended yet fires, once.
. "$(dirname "$0")/prelude.sh"

need jq
need ps
need strings
stalls=$(dirname "$FTWAIT")/tests/live/oracles/stalls
[ -x "$stalls" ] || { echo "the oracles are not built"; exit 77; }
if [ ! -e "$tracing/options/copy_trace_marker" ]; then
	echo "this kernel has no copies of trace_marker (options/copy_trace_marker)"
	exit 77
fi
load=
trap '[ -z "$load" ] || kill -9 $load 2> /dev/null; scratch_remove' EXIT

# foreign load: programs that begin and end, and sleeps that hold nothing up
sh -c 'while :; do /bin/true; sleep 0.005; done' &
load=$!

flight_ended() {
	ended
	expect "instance ftwait.$tracer is removed" [ ! -e "$tracing/instances/ftwait.$tracer" ]
}

# shots: the numbers of those that were said to be saved
shots() {
	sed -n 's/^\[ ftwait: shot \([0-9]*\)[ :].*/\1/p' errors
}

# marks FILE: whether all marks that were written within the shot are in it
marks_are_whole() {
	"$FTWAIT" report "$1" --processes --json > shot.json 2> /dev/null || return 1
	jq -r '"window \(.trace.begin_ns) \(.trace.end_ns)",
		(.processes.marks[] | "seen \(.text) \(.at_ns)")' shot.json | tr -d . > seen
	cat seen truth | awk '
		$1 == "window" { begin = $2; end = $3 }
		$1 == "seen" && $2 == "tick" { at[$3] = $4 }
		$1 == "mark" && $3 >= begin && $4 <= end {
			asked++
			if (!($2 in at) || at[$2] < $3 || at[$2] > $4) { print "mark " $2; bad = 1 }
		}
		END { exit bad || asked < 20 }'
}

# stall_is_saved NUMBER WAY VICTIM HOLDER BEGIN END: one shot is of it, says so, and has it whole,
# with the ring's time before it. Its begin and end are sure to the time that a preempted task needs.
stall_is_saved() {
	for file in stall.*.dat; do
		strings "$file" | sed -n 's/^trigger //p' > trigger
		read -r at since tid condition < trigger || return 1
		[ "$since" -ge "$5" ] && [ "$since" -le "$6" ] || continue
		[ "$at" -ge "$6" ] && [ "$at" -le $(($6 + 50000000)) ] || return 1
		[ "$since" -le $(($5 + 50000000)) ] || return 1
		[ "$((since - $5 + at - $6))" -ge 1000000 ] || exact=$((exact + 1))
		[ "$tid" = "$3" ] && [ "$condition" = "wait>100ms comm=victim" ] || return 1
		strings "$file" | grep '^triggered ' > words
		grep -q "victim\[$3\] waited [0-9.]* ms.*, behind holder\[$4\]" words || return 1
		# its path only if the recorder looked meanwhile
		[ "$2" != flock ] || grep -q -e '(flock on ' -e '(for a flock of a file)' words ||
			return 1
		"$FTWAIT" report "$file" --waits --json > waits.json 2> /dev/null || return 1
		jq -r '.trace | "\(.begin_ns) \(.end_ns)"' waits.json > window
		read -r begin end < window
		[ "$end" -ge "$at" ] || return 1
		# the first shots may be of less time than the ring holds
		[ "$begin" -le $((since - 2000000000)) ] || [ "$begin" -le $((first + 500000000)) ]
		return
	done
	return 1
}

record --ring=2s --trigger 'wait>100ms comm=victim' --every=1s --after=200ms -o stall.dat -- \
	"$stalls" 6 "$tracing/trace_marker" > truth
flight_begun
flight_ended
expect "stalls: status 0" [ "$status" = 0 ]
expect "stalls: six were made" [ "$(grep -c ^stall truth)" = 6 ]
expect "stalls: six shots, no other" [ "$(shots | wc -l)" = 6 ]
expect "stalls: six files" [ "$(find . -name 'stall.*.dat' | wc -l)" = 6 ]
first=$(sed -n 's/^mark 0 \([0-9]*\) .*/\1/p' truth)
exact=0
grep ^stall truth > made
while read -r _ number way victim holder begin end; do
	expect "stalls: $way $number is saved" \
		stall_is_saved "$number" "$way" "$victim" "$holder" "$begin" "$end"
done < made
expect "stalls: most of them are exact to a millisecond: $exact" [ "$exact" -ge 3 ]
for file in stall.*.dat; do
	expect "stalls: all marks are in $file" marks_are_whole "$file"
done

# what has not ended fires once; nothing fires for tasks that merely sleep
mkfifo never
cp "$(readlink -f /bin/sh)" opener
record --ring=5s --trigger 'open>1s comm=opener' --after=100ms --every=0s -o open.dat
flight_begun
./opener -c 'read -r word < never' &
victim=$!
await 10 [ -s open.1.dat ]
expect "open: saved while it waits" [ -s open.1.dat ]
await 5 said 'shot 1:'
expect "open: says so" said "shot 1: opener\[$victim\] has waited 1\.[0-9]* s"
strings open.1.dat | sed -n 's/^trigger \([0-9]*\) \([0-9]*\) .*/\1 \2/p' > trigger
read -r at since < trigger
expect "open: within a second" [ $((at - since)) -le 2000000000 ]
echo word > never
wait $victim
sleep 1 # time for a shot that must not come
kill -INT "$recorder"
flight_ended
expect "open: not again when it ends" [ "$(shots | wc -l)" = 1 ]
expect "open: status 0" [ "$status" = 0 ]

# shots close to each other, by hand
record --ring=2s -o close.dat --after=0s
flight_begun
mkfifo enough
"$stalls" 0 "$tracing/trace_marker" < enough > truth &
marker=$!
exec 5> enough
for number in 1 2 3; do
	sleep 0.6
	"$FTWAIT" shot "$recorder" > asked
	expect "by hand: shot $number" await 10 said "shot $number: "
done
# until here, so that the last shots have some, too, however late they are
exec 5>&-
wait $marker
kill -INT "$recorder"
flight_ended
expect "by hand: three shots, and one when it ends" [ "$(shots | wc -l)" = 4 ]
for file in close.*.dat; do
	expect "by hand: all marks are in $file" marks_are_whole "$file"
done

# what cannot be saved is said at once
"$FTWAIT" record --ring=2s -d 60 -o missing/shot.dat 2> errors
expect "no folder: a failure" [ $? = 1 ]
expect "no folder: says so" said 'no shot can be saved in missing/: No such file'
finish
