#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Work of which one thing can be turned down (oracles/knob.c): what --what-if says of a recording with all of it is
# what half of it, and none of it, really save, to 3 % of the time. Where others disturbed the work, all of that is
# done again: what is wrong is wrong each time.
# alone: it runs as SCHED_FIFO
. "$(dirname "$0")/prelude.sh"

need jq

knob=$(dirname "$FTWAIT")/tests/live/oracles/knob

seconds() { # NS
	printf '%d.%09d' $(($1 / 1000000000)) $(($1 % 1000000000))
}

# took MODE FACTOR: of three runs the one in the middle
took() {
	for _ in 1 2 3; do
		timeout -s KILL 15 "$knob" "$1" "$2" 2>> errors
	done | awk '{ printf "%.0f\n", $3 - $2 }' | sort -n | sed -n 2p
}

# recorded MODE SPEC: into MODE.json what is predicted with 1, 0.5 and 0; sets $all to what the recorded work took
recorded() {
	record -q -e +lock,syscalls -o "$1.dat" -- "$knob" "$1" 1 > "$1.truth"
	ended
	[ "$status" -ne 77 ] || { cat errors && exit 77; }
	expect "status 0 of $1" [ "$status" -eq 0 ]
	read -r tid begin end < "$1.truth"
	all=$((end - begin))
	"$FTWAIT" report "$1.dat" --json "--critical-path=$tid" --from "$(seconds "$begin")" --to "$(seconds "$end")" \
		--what-if "$2=1,$2=0.5,$2=0" > "$1.json" 2>> errors
	expect "$1 is shown" [ $? -eq 0 ]
}

# is_so MODE FILTER: of what --what-if says
is_so() {
	jq -e ".what_if | $2" "$1.json" > /dev/null
}

# within MODE N TRUTH: the truth is in the N-th interval, to 3 % of $whole
within() {
	is_so "$1" ".[$2] | .refused == null and
		.low_ns - $whole * 0.03 <= $3 and $3 <= .high_ns + $whole * 0.03"
}

# holds MODE SPEC: tries once
holds() {
	whole=$(took "$1" 1)
	half=$((whole - $(took "$1" 0.5)))
	none=$((whole - $(took "$1" 0)))
	recorded "$1" "$2"
	[ $((all - whole)) -lt $((whole * 3 / 100)) ] && within "$1" 1 "$half" && within "$1" 2 "$none"
}

# is_predicted MODE SPEC LIMIT: whose doing the work waits for then
is_predicted() {
	for try in 1 2 3 4 5; do
		holds "$1" "$2" && break
		echo "try $try of $1: $whole ns, recorded $all ns, saved $half and $none, predicted" \
			"$(jq -c '[.what_if[1, 2] | .low_ns, .high_ns]' "$1.json")" >> tries
		[ $try -lt 5 ] || cat tries
	done
	expect "what is saved of $1" within "$1" 1 "$half"
	expect "what is saved of $1 if it takes no time" within "$1" 2 "$none"
	expect "nothing is saved if nothing changes" is_so "$1" '.[0] | .low_ns == 0 and .high_ns == 0'
	expect "then $3 is what $1 waits for" is_so "$1" ".[2].limit.task.comm == \"$3\""
}

timeout -s KILL 15 "$knob" serial 0 > /dev/null 2> errors
[ $? -ne 77 ] || { cat errors && exit 77; }
is_predicted serial timer:knob knob
is_predicted join timer:sleeper burner
is_predicted lock lock:inside holder
is_predicted pipe timer:consumer producer
is_predicted neighbour task:neighbour knob
finish
