#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A condition of --trigger fires, once: what was recorded around it becomes a file, and the recorder ends.
. "$(dirname "$0")/../record/prelude.sh"

need ps
need flock
cp "$(command -v flock)" brief
record --ring=1s --trigger 'wait>100ms comm=brief' --after=0s --shots=1 -o shot.dat
flight_begun
: > lock
flock -F lock sleep 60 &
holder=$!
await 20 grep -q "FLOCK.* $holder " /proc/locks
./brief -F lock true &
brief=$!
await 20 grep -q "> FLOCK.* $brief " /proc/locks
sleep 0.2
kill $holder
wait $brief
expect "it ends by itself" await 20 has_ended "$recorder"
kill -INT "$recorder" 2> /dev/null
ended
expect "status 0" [ $status -eq 0 ]
expect "one file" [ "$(echo shot.*dat)" = shot.1.dat ]
expect "which says why" said "shot 1 of 1: brief\[$brief\] waited [0-9.]* ms .*flock"
"$FTWAIT" report shot.1.dat --waits --comm brief --min 100ms --format csv > waits 2>> errors
expect "the wait is in it" grep -q ",brief,$brief,$brief,S," waits
finish
