#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --compress: a file of version 7, which trace-cmd reads with all its events, and after a kill, too.
. "$(dirname "$0")/prelude.sh"

need trace-cmd

record --compress -e syscalls -o a.dat -- dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none
ended
expect "status 0" [ $status -eq 0 ]
expect "version 7" [ "$(head -c 11 a.dat | tail -c 1)" = 7 ]
expect "all events" [ "$(trace_events a.dat)" = "$(told events)" ]
expect "no complaint of trace-cmd" [ ! -s warnings ]
expect "what it saved and cost" said 'compressed .* to .*, 1 of [0-9.]*, by [0-9.]* % of a CPU$'
"$FTWAIT" report a.dat > report 2> errors
expect "it can be read" grep -q 'events in' report
expect "without damage" [ "$(grep -c damaged report)" = 0 ]

record --compress=zstd -o k.dat
begun
expect "something is written" await 30 has_events k.dat
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
"$FTWAIT" report k.dat > report 2> errors
expect "killed: it can be read" grep -q 'events in' report
"$FTWAIT" record --repair k.dat 2> errors
expect "killed: --repair" [ $? -eq 0 ]
expect "killed: events" [ "$(trace_events k.dat)" -gt 0 ]
expect "killed: no complaint of trace-cmd" [ ! -s warnings ]
"$FTWAIT" cleanup > /dev/null 2>&1

"$FTWAIT" record --compress -o - true > out 2> errors
expect "a pipe: status 2" [ $? -eq 2 ]
expect "a pipe: with a mend" said 'zstd -1$'
"$FTWAIT" record --compress=lzma -o l.dat true 2> errors
expect "another way: status 2" [ $? -eq 2 ]
(
	ulimit -f 200000
	exec "$FTWAIT" record --compress -o limited.dat true 2> errors
)
expect "no holes: status 0" [ $? -eq 0 ]
expect "no holes: it is said" said 'warning: not compressed: '
expect "no holes: version 6" [ "$(head -c 11 limited.dat | tail -c 1)" = 6 ]
finish
