#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# While the pages of a recording move to where the trace.dat has them, a kill costs nothing: killed
# at each system call that changes the file, it can be read, and --repair goes on.
. "$(dirname "$0")/prelude.sh"

need trace-cmd
need strace

# events FILE: what the report counts
events() {
	"$FTWAIT" report "$1" 2> /dev/null | sed -n 's/^.*: \([0-9,]*\) events in.*/\1/p' | tr -d ,
}

has_many() {
	all=$(events k.dat)
	[ "${all:-0}" -gt 10000 ]
}

# system calls of COMMAND alone: what else runs on the machine must not make the file large
record -e syscalls -o k.dat -- sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=8000 status=none
	echo $$ > command; exec sleep 60'
expect "it has events" await 30 has_many
await 30 [ -s command ]
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
kill "$(cat command)"
"$FTWAIT" cleanup > /dev/null 2>&1
expect "a stream with holes" [ "$(stat -c %b k.dat)" -lt $(($(stat -c %s k.dat) / 512)) ]
all=$(events k.dat)

# where nobody can tell of holes, what reads as zeros is not read: it is hundreds of GB
blind() {
	timeout 30 strace -f -o /dev/null -e trace=lseek -e inject=lseek:error=EINVAL "$@"
}
expect "no SEEK_DATA: all events" [ "$(blind "$FTWAIT" report k.dat 2> errors |
	sed -n 's/^.*: \([0-9,]*\) events in.*/\1/p' | tr -d ,)" = "$all" ]
cp --sparse=always k.dat blind.dat
blind "$FTWAIT" record --repair blind.dat 2> errors
expect "no SEEK_DATA: --repair" [ $? -eq 0 ]
expect "no SEEK_DATA: all events are kept" [ "$(events blind.dat)" = "$all" ]

# killed_at COUNT FILE: --repair, which is killed at that call; false where it ended before
killed_at() {
	calls=pwrite64,fallocate,ftruncate
	strace -o /dev/null -e trace=$calls -e inject=$calls:signal=KILL:when="$1" \
		"$FTWAIT" record --repair "$2" 2> errors
	[ $? -ne 0 ]
}

# everywhere FOLDER: in a file of that folder
everywhere() {
	count=1
	while cp --sparse=always k.dat "$1/t.dat" && killed_at $count "$1/t.dat"; do
		expect "$1, killed at call $count: it can be read" [ "$(events "$1/t.dat")" = "$all" ]
		"$FTWAIT" record --repair "$1/t.dat" 2> errors
		expect "$1, killed at call $count: --repair" [ $? -eq 0 ]
		expect "$1, killed at call $count: a trace.dat" is_datfile "$1/t.dat"
		"$FTWAIT" report --strict "$1/t.dat" > report 2>> errors
		expect "$1, killed at call $count: half a recording" [ $? -eq 3 ]
		[ "$(events "$1/t.dat")" = "$all" ]
		expect "$1, killed at call $count: all events" [ $? -eq 0 ]
		count=$((count + 1))
		[ $count -lt 200 ] || break
	done
	expect "$1: there were steps" [ $count -gt 6 ]
	expect "$1: all events for trace-cmd" [ "$(trace_events "$1/t.dat")" = "$all" ]
	expect "$1: no holes" [ "$(stat -c %b "$1/t.dat")" -ge $(($(stat -c %s "$1/t.dat") / 512)) ]
}

everywhere .
# the first two calls look whether there can be holes, the third one cuts the blocks off in the end
strace -f -o /dev/null -e trace=ftruncate -e inject=ftruncate:error=EIO:when=3+ \
	"$FTWAIT" record -e signal -o tail.dat -d 200ms 2> errors
expect "what cannot be cut off: status 0" [ $? -eq 0 ]
expect "what cannot be cut off: a trace.dat" is_datfile tail.dat
"$FTWAIT" report --strict tail.dat > report 2>> errors
expect "what cannot be cut off is no damage" [ $? -eq 0 ]

mkdir disk
if mount -t tmpfs -o size=64m tmpfs disk; then
	everywhere disk
fi
finish
