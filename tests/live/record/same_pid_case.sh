#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# An instance of our own PID is not ours: what a dead recorder left is removed and not recorded
# into, what a living one (in another PID namespace) has open is left alone.
# alone: makes an instance without a recorder, which any other recorder removes
. "$(dirname "$0")/prelude.sh"

# become ARGUMENT...: ftwait record under a PID whose instance exists, with an event of its own
become() {
	# shellcheck disable=SC2016 # the inner shell's PID
	sh -c '
		old=$1/instances/ftwait.$$
		program=$2
		shift 2
		mkdir "$old" || exit 99
		echo 1 > "$old/events/raw_syscalls/enable"
		[ "$1" = open ] && exec 9< "$old/trace_pipe"
		shift
		exec "$program" record "$@"' sh "$tracing" "$FTWAIT" "$@" 2> errors &
	recorder=$!
}

become closed -q -o a.dat -- true
ended
expect "status 0" [ $status -eq 0 ]
"$FTWAIT" report --json a.dat > report
expect "the old instance's events are not recorded" grep -q '"undecoded_events": 0,' report

become open -o b.dat -- true
wait "$recorder"
expect "no second recorder in one instance" [ $? -eq 1 ]
expect "it says why" said 'exists: a recorder in another PID namespace'
expect "the other's instance stays" [ -e "$tracing/instances/ftwait.$recorder" ]
expect "the other's events stay on" \
	grep -q 1 "$tracing/instances/ftwait.$recorder/events/raw_syscalls/enable"
rmdir "$tracing/instances/ftwait.$recorder"
finish
