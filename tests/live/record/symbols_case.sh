#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The file has the names of the functions that it refers to and no others, through a pipe and after
# kill -9 too.
. "$(dirname "$0")/prelude.sh"

need jq
grep -q '^0*[1-9a-f][0-9a-f]* [tT] ' /proc/kallsyms || { echo "kernel symbols are hidden"; exit 77; }

# frames FILE FILTER: how many functions of stacks FILTER lets through
frames() {
	"$FTWAIT" report --json --waits --all "$1" |
		jq "[.waits[] | .stack // [] | .[] | startswith(\"0x\") | $2] | map(select(.)) | length"
}

# expect_names WHAT FILE
expect_names() {
	expect "$1: names" [ "$(frames "$2" not)" -gt 10 ]
	expect "$1: no address without one" [ "$(frames "$2" .)" = 0 ]
}

record -o empty.dat true
ended
# of more than 100,000; how many events there are depends on what else runs
named=$(grep -a -c '^[0-9a-f]\{8,16\} [a-zA-Z] ' empty.dat)
expect "an empty recording has few names: $named" [ "$named" -lt 2000 ]

record --stacks -o a.dat -- sleep 0.2
ended
expect_names "stacks" a.dat
if command -v trace-cmd > /dev/null; then
	trace-cmd report a.dat > text 2> warnings
	expect "trace-cmd finds them" grep -q '=> .*schedule' text
	expect "trace-cmd names timers" grep -q 'function=[a-z]' text
fi
"$FTWAIT" record -q --stacks -o - -- sleep 0.2 > pipe.dat
expect_names "through a pipe" pipe.dat

record --stacks -b 64K -o killed.dat
begun
expect "something is written" await 30 has_events killed.dat
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
"$FTWAIT" cleanup > /dev/null
"$FTWAIT" record --repair killed.dat
expect "repaired: a trace.dat" is_datfile killed.dat
expect_names "repaired" killed.dat
finish
