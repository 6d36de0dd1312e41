#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cleanup removes instances of dead recorders and no others; doctor names what it would remove.
# alone: looks at instances of killed recorders, which any other recorder removes
. "$(dirname "$0")/prelude.sh"

need flock

record -o a.dat
begun
living=$recorder
record -o b.dat
begun
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
dead=$recorder
recorder=$living
other=$tracing/instances/ftwait-test.$$
mkdir "$other"
# neither a name nor open files, but the lock of a recorder says that it lives
locked=$tracing/instances/ftwait.2000000001
mkdir "$locked"
flock -F "$locked" sleep 20 &
locker=$!
mkdir "$tracing/instances/ftwait.2000000002"
echo mark > "$tracing/instances/ftwait.2000000002/trace_marker"
"$FTWAIT" doctor --gaps > found 2> errors
expect "doctor: status 0" [ $? -eq 0 ]
expect "doctor: the dead one's" grep -q "^gap  *stale instance  *ftwait\.$dead holds [0-9,]* events, " found
expect "doctor: what it holds" grep -q 'ftwait\.2000000002 holds 1 event, [1-9][0-9.]* [KM]iB$' found
expect "doctor: the mend" grep -q 'mend: ftwait cleanup' found
expect "doctor: no other" [ "$(grep -c 'stale instance' found)" = 2 ]
expect "doctor: removes nothing" [ -e "$tracing/instances/ftwait.$dead" ]
"$FTWAIT" cleanup > cleaned 2> errors
expect "status 0" [ $? -eq 0 ]
expect "it says what it removed" grep -q "^removed ftwait\.$dead$" cleaned
expect "the dead one's is gone" [ ! -e "$tracing/instances/ftwait.$dead" ]
expect "the living one's stays" [ -e "$tracing/instances/ftwait.$recorder" ]
expect "a stranger's stays" [ -e "$other" ]
expect "a locked one stays" [ -e "$locked" ]
kill "$locker"
wait "$locker" 2> /dev/null
"$FTWAIT" cleanup > cleaned 2> errors
expect "until the lock is gone" [ ! -e "$locked" ]
rmdir "$other"
kill -INT "$recorder"
ended
expect "and recorded on" [ $status -eq 0 ]

# the name of the program tells nothing
cp "$FTWAIT" renamed
env --default-signal ./renamed record -o c.dat 2> errors &
recorder=$!
begun
"$FTWAIT" cleanup > cleaned 2> errors
expect "a renamed recorder: status 0" [ $? -eq 0 ]
expect "a renamed recorder lives" grep -q '^nothing to remove$' cleaned
"$FTWAIT" doctor > found 2> errors
expect "doctor: a renamed recorder lives" grep -q '^ok  *stale instances  *none$' found
kill -INT "$recorder"
ended
expect "a renamed recorder records on" is_datfile c.dat

# somebody looks into the instance when it shall go
record -o d.dat
begun
left=$tracing/instances/ftwait.$recorder
exec 8< "$left/trace"
kill -INT "$recorder"
wait "$recorder"
expect "an instance in use: status 0" [ $? -eq 0 ]
expect "it is there still" [ -e "$left" ]
expect "one warning that names it and the mend" \
	[ "$(grep -c "cannot remove the instance $left: .*ftwait cleanup" errors)" = 1 ]
exec 8<&-
"$FTWAIT" cleanup > cleaned 2> errors
expect "which helps" [ ! -e "$left" ]

# COMMAND itself does, and lives on after a signal: its end is waited for
record -o e.dat -- sh -c 'trap "" INT; exec 8< "$1/instances/ftwait.$PPID/trace" && touch looks; sleep 1' sh "$tracing"
begun
await 20 [ -e looks ]
kill -INT "$recorder"
ended
expect "an instance in use by COMMAND: status 0" [ $status -eq 0 ]
expect "and nothing is said of it" [ "$(grep -c 'cannot remove' errors)" = 0 ]

# what a kernel that is locked down shows
if unshare -m true 2> /dev/null; then
	unshare -m sh -c "umount -l /sys/kernel/debug # has another tracefs
		mount --bind $tracing/options $tracing; exec \"$FTWAIT\" cleanup" > cleaned 2> errors
	expect "nothing to remove: status 0" [ $? -eq 0 ]
	expect "nothing to remove: says so" grep -q '^nothing to remove$' cleaned
	expect "nothing to remove: and why" said 'shows no tracepoints'
fi
finish
