#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A server of which some requests are slow for a cause that it planted itself (oracles/rare_cause.c): --tail names
# that cause, and that only those have it; where nothing is planted it names none of these. On a busy machine some
# requests are slow because of others, which is true, too: nothing is asked of those.
. "$(dirname "$0")/prelude.sh"

need jq

oracle=$(dirname "$FTWAIT")/tests/live/oracles/rare_cause
seed=${TAIL_SEED:-$(date +%N | sed 's/^0*//')}

# planted MODE: records it, and keeps the truth
planted() {
	record -q -e +lock,syscalls -o "$1.dat" -- "$oracle" "$1" 800 "$seed" 2 > "$1.truth"
	ended
	expect "status 0 of $1 (seed $seed)" [ "$status" -eq 0 ]
	tid=$("$FTWAIT" report "$1.dat" --processes --json 2>> errors |
		jq '[.processes.processes[].task | select(.comm == "server" and .tid == .tgid) | .tid][0]')
	"$FTWAIT" report "$1.dat" --tail --tid "$tid" --json > "$1.json" 2>> errors
	expect "it is shown" [ $? -eq 0 ]
	expect "800 requests of a server (seed $seed)" \
		[ "$(jq -c '[.tail.unit, .tail.role, .tail.count]' "$1.json")" = '["request","server",800]' ]
	# what the parts of the time differ by is what the lengths do
	expect "the profile sums to the lengths" jq -e '
		.tail | .far == 0 or
		([.profile[].slow_ns] | add) > .fence_ns and ([.profile[].other_ns] | add) < .fence_ns' "$1.json" > /dev/null
}

# votes MODE FILTER: how many requests are slow for a named reason that fits
votes() {
	jq "[.tail.reasons[] | select(.named) | select($2) | .votes] | add // 0" "$1.json"
}

# is_found MODE FILTER: at most one request in ten, and two, more or fewer than were planted
is_found() {
	truth=$(grep -c " $1\$" "$1.truth")
	found=$(votes "$1" "$2")
	slack=$((truth / 10 + 2))
	expect "$1 was planted in $truth, found in $found of 800 (seed $seed)" \
		[ "$found" -ge $((truth - slack)) -a "$found" -le $((truth + slack)) ]
}

planted lock
behind_keeper='.chain[1].task.comm == "keeper" and .chain[0].aim.kind == "lock"'
is_found lock "$behind_keeper"
expect "meanwhile the keeper slept" jq -e "
	.tail.reasons | map(select($behind_keeper))[0].leaf | startswith(\"keeper: timer\")" lock.json > /dev/null
# all that took so long is shown as the slowest
longest=$(awk '{ print $2 - $1 }' lock.truth | sort -n | tail -1)
shown=$(jq '.tail.slowest[0] | .end_ns - .begin_ns' lock.json)
expect "the slowest took $longest ns, shown as $shown" [ $((longest - shown)) -lt 1000000 -a $((shown - longest)) -lt 1000000 ]

planted gc
is_found gc '.chain[1].task.comm == "sweeper" and .chain[0].aim.kind == "condition"'

planted disk
is_found disk '.chain[0].aim.kind == "disk" and (.chain | length) == 1'

planted none
expect "nothing is behind those who did nothing (seed $seed)" \
	[ "$(votes none '.chain[1].task.comm | IN("keeper", "sweeper", "rival")')" -eq 0 ]
finish
