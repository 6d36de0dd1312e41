#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two recorders and one name: the second is refused, whoever would end first; a file that is moved
# or removed while it is recorded into is not lost; one that is cut is told of.
. "$(dirname "$0")/prelude.sh"

need jq

# events_in FILE: what the report counts
events_in() {
	"$FTWAIT" report --strict --json "$1" | jq .trace.events
}

record
begun
first=$recorder
"$FTWAIT" record -d 100ms 2> refusal
expect "the second is refused" [ $? -eq 1 ]
expect "in one line" [ "$(wc -l < refusal)" = 1 ]
expect "which says why" grep -q '^ftwait: ftwait.dat is being recorded into by another ftwait; ' refusal
"$FTWAIT" record -d 100ms -o ./ftwait.dat 2> refusal
expect "by another path too" [ $? -eq 1 ]
ln -s ftwait.dat link
"$FTWAIT" record -d 100ms -o link 2> refusal
expect "by a link too" [ $? -eq 1 ]
"$FTWAIT" record --repair ftwait.dat 2> refusal
expect "no repair of a live recording" [ $? -eq 1 ]
expect "which says why" grep -q 'is being recorded into' refusal
expect "nothing was moved away" [ ! -e ftwait.dat.old ]
recorder=$first
kill -INT "$recorder"
ended
expect "the first ends well" [ $status -eq 0 ]
expect "with all its events" [ "$(events_in ftwait.dat)" = "$(told events)" ]

# the other one would record long enough to end last
record -o a.dat
begun
first=$recorder
rm refusal # what it said before is no word of the next one
"$FTWAIT" record -d 2s -o a.dat 2> refusal &
second=$!
await 20 test -s refusal
recorder=$first
kill -INT "$recorder"
ended
wait "$second"
expect "the second is refused at once" [ $? -eq 1 ]
expect "the first has all its events" [ "$(events_in a.dat)" = "$(told events)" ]
"$FTWAIT" record -q -d 100ms -o a.dat
expect "afterwards the name is free" [ $? -eq 0 ]
expect "and the first is kept" [ "$(events_in a.dat.old)" = "$(told events)" ]

# many at the same time: one records until all others have been refused, and has its file
racers=
for i in 1 2 3 4 5 6 7 8; do
	env --default-signal "$FTWAIT" record -o race.dat 2> "race.$i" &
	racers="$racers $!"
done
seven_are_refused() {
	[ "$(grep -l 'is being recorded into' race.? | wc -l)" = 7 ]
}
expect "of eight, all but one are refused" await 30 seven_are_refused
# shellcheck disable=SC2086 # a list of processes, of which one is there
kill -INT $racers 2> refusal
wait
cat race.? > errors
expect "the one left ends well" said ' -> race.dat \]$'
expect "alone" [ "$(grep -c '^\[ ftwait' errors)" = 1 ]
expect "its file has all its events" [ "$(events_in race.dat)" = "$(told events)" ]
expect "there is no other" [ ! -e race.dat.old ]

record -o moved.dat
begun
mkdir other
mv moved.dat other/new.dat
kill -INT "$recorder"
ended
expect "moved: status 0" [ $status -eq 0 ]
expect "it says where to" said '^ftwait: warning: moved.dat was moved .* to .*/other/new.dat$'
expect "and names the file that is there" said ' -> .*/other/new.dat \]$'
expect "which is whole" [ "$(events_in other/new.dat)" = "$(told events)" ]
expect "nothing is at the old place" [ ! -e moved.dat ]

record -o gone.dat
begun
rm gone.dat
kill -INT "$recorder"
ended
expect "removed: status 0" [ $status -eq 0 ]
expect "it is written again, which is said" said 'gone.dat was removed .* written again, to gone.dat$'
expect "whole" [ "$(events_in gone.dat)" = "$(told events)" ]

record -o taken.dat
begun
rm taken.dat
echo mine > taken.dat
kill -INT "$recorder"
ended
expect "somebody else's file of the name stays" [ "$(cat taken.dat)" = mine ]
expect "the recording stands beside it" [ "$(events_in "taken.dat.$recorder")" = "$(told events)" ]
expect "which is said" said " -> taken.dat.$recorder \]\$"

mkdir folder
record -o folder/lost.dat
begun
rm -r folder
kill -INT "$recorder"
ended
expect "its folder removed: status 1" [ $status -eq 1 ]
expect "that it is lost is said" said 'folder/lost.dat was removed .*; the recording is lost$'
expect "no file is named that is not there" [ "$(grep -c '^\[ ftwait' errors)" = 0 ]

has_data() {
	[ "$(stat -c %s "$1")" -gt 1000000 ]
}

# spoilt NAME SIZE: records, and cuts the file to that size meanwhile (-SIZE: by it)
spoilt() {
	record -e syscalls -o "$1.dat"
	begun
	dd if=/dev/zero of=/dev/null bs=1 count=30000 status=none
	await 20 has_data "$1.dat"
	truncate -s "$2" "$1.dat"
	kill -INT "$recorder"
	ended
	expect "$1: status 1" [ $status -eq 1 ]
	expect "$1: one line" [ "$(lines)" = 1 ]
	expect "$1: says what happened" said "^ftwait: $1.dat was cut or overwritten by somebody else"
}
spoilt emptied 0
expect "emptied: nothing is left" said '; the recording is lost$'
spoilt cut -4096
expect "cut: something is left" said '; what is left is in cut.dat$'
expect "cut: which can be read" [ "$(events_in cut.dat)" -gt 0 ]
finish
