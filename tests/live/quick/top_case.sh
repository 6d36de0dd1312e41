#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# top as text: as many intervals as it is to show, each with a task that waits for its children.
. "$(dirname "$0")/../record/prelude.sh"

cp "$(readlink -f /bin/sh)" parent
./parent -c 'while :; do sleep 0.05; done' &
parent=$!
"$FTWAIT" top -b -n 2 --comm parent > blocks 2> errors
expect "status 0" [ $? -eq 0 ]
kill $parent
expect "two intervals" [ "$(grep -c '^ftwait top ' blocks)" = 2 ]
expect "in each the task, and what it waits for: $(cat blocks)" \
	[ "$(grep -c ' parent  *task, [0-9]* times  *sleep *$' blocks)" = 2 ]
finish
