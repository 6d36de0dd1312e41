#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A server of which one thread reads the requests and eight others answer them (oracles/rare_pool.c): what is
# planted in one request holds up those of other threads, too, and --tail names it for all of these. Several causes in
# one recording are told apart.
# alone: the rival of another case would be another one of that name
. "$(dirname "$0")/planted.sh"

# one that gets the mutex behind another one waited for the keeper, too
by_keeper='.chain[0].aim.name == "needed" and
	(.chain[1].task.comm == "keeper" or (.leaf // "" | startswith("keeper: timer")))'
by_sweeper='.chain[1].task.comm == "sweeper" or (.leaf // "" | startswith("sweeper"))'

planted lock rare_pool lock 1500 1.5
shown lock request 1500
expect "those who answer are the server" is_so lock \
	'.role == "server" and ([.reasons[].chain[0].task.comm] | unique) == ["worker"]'
is_found lock lock "$by_keeper"
slowest_is_true lock

planted mix rare_pool mix 2000 3
shown mix request 2000
is_found mix lock "$by_keeper"
is_found mix gc "$by_sweeper"
# where the reader had no CPU, those who answer waited for the reader
finds mix cpu "$(behind rival)"
expect "the rival is among the reasons: $found of $truth (seed $seed)" [ "$found" -ge $((truth / 3)) ]

planted none rare_pool none 1500 2
shown none request 1500
expect "nothing is behind those who did nothing (seed $seed)" \
	[ "$(votes none "$(behind keeper sweeper rival)")" -eq 0 ]
finish
