# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced, in place of prelude.sh, by cases of --tail whose oracles plant causes and say in which units
# (oracles/planted.h).
# A seed that is known to fail is repeated by TAIL_SEED=N.

. "$(dirname "$0")/prelude.sh"

need jq

oracles=$(dirname "$FTWAIT")/tests/live/oracles
seed=${TAIL_SEED:-$(date +%N | sed 's/^0*//')}

# planted NAME ORACLE MODE COUNT PERCENT [ARGUMENT]: records it into NAME.dat, and keeps the truth
planted() {
	name=$1 oracle=$2 mode=$3 count=$4 percent=$5
	shift 5
	# while the instance of a recorder that somebody killed is not switched off, the kernel refuses all marks
	for _ in 1 2 3; do
		record -q -e +lock,syscalls -o "$name.dat" -- "$oracles/$oracle" "$mode" "$count" "$seed" "$percent" \
			"$@" > "$name.truth"
		ended
		said 'trace_marker: Bad file descriptor' || break
	done
	[ "$status" -ne 77 ] || { cat errors && exit 77; }
	expect "status 0 of $oracle $mode (seed $seed)" [ "$status" -eq 0 ]
}

# is_so NAME FILTER: of what --tail says
is_so() {
	jq -e ".tail | $2" "$1.json" > /dev/null
}

# shown NAME UNIT COUNT OPTION...: what --tail says of it, of so many units
shown() {
	name=$1 unit=$2 count=$3
	shift 3
	"$FTWAIT" report "$name.dat" --tail --json "$@" > "$name.json" 2>> errors
	expect "it is shown" [ $? -eq 0 ]
	expect "$count of $name (seed $seed), each a $unit" \
		[ "$(jq -c '[.tail.unit, .tail.count]' "$name.json")" = "[\"$unit\",$count]" ]
	# what the parts of the time differ by is what the lengths do
	expect "the profile of $name sums to the lengths (seed $seed)" is_so "$name" '.far == 0 or
		([.profile[].slow_ns] | add) > .fence_ns and ([.profile[].other_ns] | add) < .fence_ns'
}

# votes NAME FILTER: how many units are slow for a named reason that fits
votes() {
	jq "[.tail.reasons[] | select(.named) | select($2) | .votes] | add // 0" "$1.json"
}

# finds NAME CAUSE FILTER: sets $truth to how many far units of that cause the truth has, $found to what --tail has,
# and $slack to one in ten, and two
finds() {
	truth=$(awk -v fence="$(jq .tail.fence_ns "$1.json")" -v cause="$2" \
		'$3 == cause && $2 - $1 > fence { n++ } END { print n + 0 }' "$1.truth")
	found=$(votes "$1" "$3")
	slack=$((truth / 10 + 2))
}

# is_found NAME CAUSE FILTER: all of them, and no others
is_found() {
	finds "$@"
	expect "$2 was planted in $truth, found in $found of $1 (seed $seed)" \
		[ "$found" -ge $((truth - slack)) -a "$found" -le $((truth + slack)) ]
}

# is_among NAME CAUSE FILTER: all of them, and perhaps others
is_among() {
	finds "$@"
	expect "$2 was planted in $truth, found only in $found of $1 (seed $seed)" [ "$found" -ge $((truth - slack)) ]
}

# slowest_is_true NAME: all that the slowest one took is shown
slowest_is_true() {
	longest=$(awk '{ print $2 - $1 }' "$1.truth" | sort -n | tail -1)
	took=$(jq '.tail.slowest[0] | .end_ns - .begin_ns' "$1.json")
	expect "the slowest of $1 took $longest ns, shown as $took" \
		[ $((longest - took)) -lt 1000000 -a $((took - longest)) -lt 1000000 ]
}

# behind NAME...: the filter of those that waited for these, or had to let them run
behind() {
	printf '(.chain[1].task.comm | IN('
	printf '"%s",' "$@" | sed 's/,$//'
	printf '))'
}
