#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Futexes have the names of the program's variables where system calls are recorded; where programs
# are in memory is noted of the asked ones alone. The names are noted, too: the program may be
# another one, or gone, when somebody reads the recording.
. "$(dirname "$0")/prelude.sh"

need nm
need jq
oracles=$(dirname "$FTWAIT")/tests/live/oracles
[ -x "$oracles/view_futex" ] || { echo "the oracles are not built"; exit 77; }

# maps_of FILE: the processes of which the recording has maps
maps_of() {
	grep -a -o -E '^maps [0-9]+ [0-9]+$' "$1" | cut -d ' ' -f 2 | sort -un
}

# the lowest three digits of the variable's address, which no loading changes
page_place() { # PROGRAM VARIABLE
	nm "$1" | sed -n "s/^[0-9a-f]*\([0-9a-f]\{3\}\) [bBdD] $2\$/\1/p"
}

# another process with threads that wait, of which nothing must be noted
while :; do "$oracles/view_futex" crowd > other 2>&1; done &
other=$!
record -q -e sched,syscalls -o a.dat -- "$oracles/view_futex" crowd > truth
ended
process=$(sed -n 's/.*is=tgid:\([0-9]*\) .*/\1/p' truth | head -n 1)
address=$(sed -n 's/.*is=address:0x\([0-9a-f]*\) .*/\1/p' truth | head -n 1)
kill $other
expect "COMMAND: a process and an address" [ -n "$process" -a -n "$address" ]
if ! maps_of a.dat | grep -q .; then
	strings a.dat | grep -q '^maps' || { echo "perf_event_open is refused"; exit 77; }
fi
expect "COMMAND: its maps alone" [ "$(maps_of a.dat)" = "$process" ]
"$FTWAIT" report --lock --format json a.dat > json 2> errors
name=$(jq -r --arg at "0x$address" '.lock.locks[] | select(.address == $at) | .name' json)
expect "COMMAND: the variable" [ "$name" = big_lock ]
place=$(page_place "$oracles/view_futex" big_lock)
expect "COMMAND: nm agrees" [ "${address#"${address%???}"}" = "$place" ]
"$FTWAIT" report --waits a.dat > text 2> errors
expect "COMMAND: causes have it" grep -q '(futex big_lock)' text
"$FTWAIT" report --waits --format json a.dat > json 2> errors
expect "COMMAND: in JSON, too" grep -q '"name": *"futex".*"variable": *"big_lock"' json

# unnoted FILE TO: a recording without the names, as older ones are
unnoted() {
	LC_ALL=C sed 's/^variable /oariable /' "$1" > "$2"
}

# a program that was deleted, or built again, since it was recorded
cp "$oracles/view_futex" program
record -q -e sched,syscalls -o gone.dat -- ./program crowd > truth
ended
unnoted gone.dat older.dat
"$FTWAIT" report --lock older.dat > text 2> errors
expect "not noted: the file has it" grep -q 'futex big_lock' text
expect "nothing is missing" sh -c '! grep -q "names of locks" text'
rm program
"$FTWAIT" report --lock gone.dat > text 2> errors
expect "without the program: the noted name" grep -q 'futex big_lock' text
expect "nor is anything missing" sh -c '! grep -q "names of locks" text'
"$FTWAIT" report --lock older.dat > text 2> errors
expect "not noted, and gone: no name" sh -c '! grep -q big_lock text && grep -q "futex *0x" text'
expect "health says so" grep -q "names of locks: $scratch/program: not found" text
cp "$oracles/mutex_circle" program
"$FTWAIT" report --lock gone.dat > text 2> errors
expect "another build: the noted name" grep -q 'futex big_lock' text
"$FTWAIT" report --lock older.dat > text 2> errors
expect "not noted, another build: no name" sh -c '! grep -q big_lock text'
expect "health says why" grep -q "names of locks: $scratch/program: another build" text

record -q -e sched,syscalls --no-snapshot -o b.dat -- "$oracles/view_futex" > truth
ended
expect "--no-snapshot: no maps" [ -z "$(maps_of b.dat)" ]
record -q -e sched -o b.dat -- "$oracles/view_futex" > truth
ended
expect "no system calls: no maps" [ -z "$(maps_of b.dat)" ]

# a process that runs already, and hangs
"$oracles/mutex_circle" 2 > truth &
circle=$!
await 20 grep -q member1 truth
record -q -e sched,syscalls -d 1.5 -o c.dat -p $circle
ended
kill $circle
mkdir empty
expect "-p: its maps alone" [ "$(maps_of c.dat)" = $circle ]
"$FTWAIT" report c.dat > text 2> errors
expect "-p: a deadlock" grep -q '^Deadlock: ' text
while read -r member tid address; do
	offset=$((0x${address#"${address%???}"} - 0x$(page_place "$oracles/mutex_circle" locks)))
	[ $offset -eq 0 ] && lock=locks || lock=$(printf 'locks+0x%x' $offset)
	expect "-p: what $member has" grep -q -F "${member}[$tid] has the lock $lock ($address)" text
done < truth
"$FTWAIT" report --symfs empty c.dat > text 2> errors
expect "-p: names of waits that began before" grep -q -F "has the lock locks" text
finish
