#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A flight recorder, or top, that cannot read the stream of its recorder says why, in one line; where the
# recorder did not begin at all, its own line is enough.
. "$(dirname "$0")/prelude.sh"

need strace

# the begin of the stream is kept in memory, or else in TMPDIR
without_memory() {
	TMPDIR=$scratch/missing strace -f -qq -o calls -e trace=memfd_create \
		-e inject=memfd_create:error=ENOMEM "$FTWAIT" "$@" > out 2> errors
}

for number in 1 2 3; do
	without_memory record --ring=2s -o shot.dat -- sleep 0.2
	expect "flight $number: status 1" [ $? = 1 ]
	expect "flight $number: one line" [ "$(lines)" = 1 ]
	expect "flight $number: it says why" said "^ftwait: record: the recorder's stream: cannot keep .*/missing/"
	without_memory top -b -n 1
	expect "top $number: status 1" [ $? = 1 ]
	expect "top $number: one line" [ "$(lines)" = 1 ]
	expect "top $number: it says why" said "^ftwait: top: the recorder's stream: cannot keep .*/missing/"
done

"$FTWAIT" record --ring=2s -e nothing -o shot.dat -- true 2> errors
expect "no recorder: a failure" [ $? != 0 ]
expect "no recorder: one line" [ "$(lines)" = 1 ]
finish
