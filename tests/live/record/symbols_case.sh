#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The file has the names of the functions that it refers to and no others, through a pipe and after
# kill -9 too.
. "$(dirname "$0")/prelude.sh"

need jq
grep -q '^0*[1-9a-f][0-9a-f]* [tT] ' /proc/kallsyms || { echo "kernel symbols are hidden"; exit 77; }

# names FILE: how many waits were slept in a function that has a name, and in one without
names() {
	"$FTWAIT" report --json --waits --all "$1" | jq -r '[.waits[] | .stack // [] | .[]] |
		"\(map(select(startswith("0x") | not)) | length) \(map(select(startswith("0x"))) | length)"'
}

record -o empty.dat true
ended
expect "an empty recording is small" [ "$(stat -c %s empty.dat)" -lt 300000 ]

record --stacks -o a.dat -- sleep 0.2
ended
set -- $(names a.dat)
expect "names" [ "$1" -gt 10 ]
expect "no address without one" [ "$2" = 0 ]
if command -v trace-cmd > /dev/null; then
	trace-cmd report a.dat > text 2> warnings
	expect "trace-cmd finds them" grep -q '=> .*schedule' text
	expect "trace-cmd names timers" grep -q 'function=[a-z]' text
fi
"$FTWAIT" record -q --stacks -o - -- sleep 0.2 > pipe.dat
set -- $(names pipe.dat)
expect "through a pipe: names" [ "$1" -gt 10 ]
expect "through a pipe: no address without one" [ "$2" = 0 ]

record --stacks -b 64K -o killed.dat
begun
sleep 1.5
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
"$FTWAIT" cleanup > /dev/null
"$FTWAIT" record --repair killed.dat
expect "repaired: a trace.dat" is_datfile killed.dat
set -- $(names killed.dat)
expect "repaired: names" [ "$1" -gt 10 ]
expect "repaired: no address without one" [ "$2" = 0 ]
finish
