#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A file system that does not answer any more holds up nobody who looks at the programs that use it, and
# whoever waits for it is said to.
# alone: while a program is in such an exec(), ps and the like hang, too
# lasts: each of six programs is recorded in four ways
. "$(dirname "$0")/prelude.sh"

oracle=$(dirname "$FTWAIT")/tests/live/oracles/dead_mount
[ -x "$oracle" ] || { echo "the oracles are not built"; exit 77; }
[ -e /dev/fuse ] || { echo "this kernel has no FUSE (/dev/fuse)"; exit 77; }
mkdir mount
server=

# dead WHAT: starts the program; when it is at its wait, the server falls silent
dead() {
	# of its own: the server before may still read the old ones
	rm -f said go
	mkfifo go
	exec 7<> go
	timeout -s KILL 60 "$oracle" "$scratch/mount" "$1" < go > said 2> errors 7>&- &
	server=$!
	await 10 grep -qs ready said || {
		cat errors
		grep -q 'a mount namespace' errors && exit 77
	}
	read -r victim word < said
	expect "$1: the program is ready" [ "$word" = ready ]
	echo >&7
	sleep 0.3
}

over() {
	exec 7>&-
	kill -9 "$server" 2> /dev/null
	wait "$server" 2> /dev/null
	server=
}
trap '[ -z "$server" ] || kill -9 $server 2> /dev/null; scratch_remove' EXIT

# in_time WHAT COMMAND...: it ends by itself, in a few seconds; sets $status
in_time() {
	what=$1
	shift
	timeout -s KILL 20 "$@" > output 2> errors
	status=$?
	expect "$what ends" [ $status -ne 137 ]
}

# by_signal WHAT COMMAND...: SIGINT ends it
by_signal() {
	what=$1
	shift
	timeout -s KILL 20 timeout --foreground -s INT 1.5 env --default-signal "$@" > output 2> errors
	status=$?
	expect "$what ends by SIGINT" [ $status -ne 137 ]
}

named="waits for the FUSE file system mounted at $scratch/mount"

# names FILE: as the thing that the program waits for; lines joined
names() {
	tr '\n' ' ' < "$1" | grep -q "$named"
}

# says WHAT FILE: in the cases that wait for it
says() {
	case $kind in
	read | stat) expect "$kind: $1 names it" names "$2" ;;
	*) expect "$kind: $1 names nothing of it" sh -c "! grep -q 'waits for the FUSE' $2" ;;
	esac
}

for kind in held read stat futex exe alive exec; do
	dead $kind
	in_time "$kind: why" "$FTWAIT" why -d 1.2 "$victim"
	expect "$kind: why: status 0" [ $status -eq 0 ]
	says why output
	in_time "$kind: record -p" "$FTWAIT" record -q -p "$victim" -d 1.2 -o one.dat
	expect "$kind: record -p: status 0" [ $status -eq 0 ]
	by_signal "$kind: record -o -" "$FTWAIT" record -q -p "$victim" -o -
	mv output stream.dat
	in_time "$kind: top" "$FTWAIT" top -b -n 2 -i 0.5 -p "$victim"
	expect "$kind: top: status 0" [ $status -eq 0 ]
	by_signal "$kind: flight recorder" "$FTWAIT" record -q --trigger 'disk>9s' --ring=2s -o flight
	in_time "$kind: by its program" "$FTWAIT" record -q -p "$scratch/none" -d 0.1 -o two.dat
	over
	"$FTWAIT" report one.dat > report 2> errors
	expect "$kind: report: status 0" [ $? -eq 0 ]
	says report report
	expect "$kind: no instance stays" [ -z "$(ls -d "$tracing/instances/ftwait.$victim"* 2> /dev/null)" ]
done
# of the last one the kernel shows nothing as long as it lasts, and that is said
"$FTWAIT" report -v one.dat > report 2> errors
expect "exec: what is not known is said" grep -q '/proc did not answer' report
finish
