#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# No signal ends a recorder without a word; a limit on the size of files is a full disk.
. "$(dirname "$0")/prelude.sh"

for signal in USR1 USR2 ALRM QUIT VTALRM PROF POLL PWR XCPU RTMIN; do
	record -o $signal.dat
	begun
	env kill -s $signal "$recorder"
	ended
	expect "$signal ends it cleanly" [ $status -eq 0 ]
	expect "$signal: a trace.dat" is_datfile $signal.dat
	expect "$signal: the closing line" said "-> $signal.dat \]\$"
done

# 512-byte blocks: 1 MiB
(
	ulimit -f 2048
	exec env --default-signal "$FTWAIT" record -e syscalls -o big.dat -- \
		dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none 2> errors
) &
recorder=$!
ended
expect "file limit: status 1" [ $status -eq 1 ]
expect "one line" [ "$(lines)" = 1 ]
expect "which says why" said '^ftwait: cannot write to big.dat: File too large; recording ended'
expect "what is there can be read" "$FTWAIT" report -o /dev/null big.dat
"$FTWAIT" record --repair big.dat 2>> errors
"$FTWAIT" report --strict big.dat > report 2>> errors
expect "after --repair it says that it is not whole" [ $? -eq 3 ]
(
	ulimit -f 2048
	# shellcheck disable=SC3045
	exec env --default-signal "$FTWAIT" record -q -o limited.dat -- \
		sh -c 'kill -XFSZ $$; echo survived > survivor'
)
expect "COMMAND has the signal's own action" [ ! -e survivor ]

# wherever the files run out
for files in 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	(
		# shellcheck disable=SC3045
		ulimit -n $files
		exec "$FTWAIT" record -o few.dat -d 100ms
	) 2> errors && continue
	expect "$files files: one line" [ "$(lines)" = 1 ]
	expect "$files files: with a mend" said '; raise the limit: ulimit -n$'
done
(
	# shellcheck disable=SC3045
	ulimit -s 2000000 && ulimit -v 1000000
	exec "$FTWAIT" record -o none.dat true 2> errors
)
expect "no thread: status 1" [ $? -eq 1 ]
expect "no thread: one line with a mend" said '^ftwait: cannot make a thread: .*; raise the limit: '
finish
