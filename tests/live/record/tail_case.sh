#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A server of which some requests are slow for a cause that it planted itself (oracles/rare_cause.c): --tail names
# that cause, and that only those have it; where nothing is planted it names none of these. On a busy machine some
# requests are slow because of others, which is true, too: nothing is asked of those.
. "$(dirname "$0")/planted.sh"

behind_keeper="$(behind keeper) and .chain[0].aim.kind == \"lock\""

keeper_slept() {
	is_so lock ".reasons | map(select($behind_keeper))[0].leaf | startswith(\"keeper: timer\")"
}

# on a busy machine the server may stand in a run queue for longer after it got the lock: then again
for _ in 1 2 3; do
	planted lock rare_cause lock 800 2
	shown lock request 800 --comm server
	expect "they are a server's" is_so lock '.role == "server"'
	is_found lock lock "$behind_keeper"
	keeper_slept 2> /dev/null && break
done
expect "meanwhile the keeper slept (seed $seed)" keeper_slept
slowest_is_true lock

planted gc rare_cause gc 800 2
shown gc request 800 --comm server
is_found gc gc "$(behind sweeper) and .chain[0].aim.kind == \"condition\""

planted disk rare_cause disk 800 2
shown disk request 800 --comm server
is_found disk disk '.chain[0].aim.kind == "disk" and (.chain | length) == 1'

# that some ran a little longer is the upper end of all; unless a host took their CPU: then again
for _ in 1 2 3; do
	planted none rare_cause none 800 2
	shown none request 800 --comm server
	expect "nothing is behind those who did nothing (seed $seed)" \
		[ "$(votes none "$(behind keeper sweeper rival)")" -eq 0 ]
	ran=$(votes none '.leaf == "running"')
	[ "$ran" -gt 0 ] || break
done
expect "that $ran ran longer is no rare cause (seed $seed)" [ "$ran" -eq 0 ]
finish
