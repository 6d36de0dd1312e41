#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# INT, TERM and HUP end a recording cleanly; COMMAND gets what was sent to ftwait alone.
. "$(dirname "$0")/prelude.sh"

for signal in INT TERM HUP; do
	record -o a.dat
	begun
	kill -s $signal "$recorder"
	ended
	expect "$signal: status 0" [ $status -eq 0 ]
	expect "$signal: a closing line" said '^\[ ftwait: '
	expect "$signal: a trace.dat" is_datfile a.dat
done

env --ignore-signal=HUP "$FTWAIT" record -o a.dat 2> errors &
recorder=$!
begun
kill -s HUP "$recorder"
sleep 0.3
expect "nohup: HUP does not end it" [ -e "$tracing/instances/ftwait.$recorder" ]
kill -s INT "$recorder"
ended
expect "nohup: status 0" [ $status -eq 0 ]

# as at a logout, and as of timeout(1): one wish, said twice
record -o a.dat
begun
kill -s TERM "$recorder" && kill -s HUP "$recorder"
ended
expect "two at once: status 0" [ $status -eq 0 ]
expect "two at once: a trace.dat" is_datfile a.dat

env --block-signal "$FTWAIT" record -d 20 -o a.dat -- sleep 10 2> errors &
recorder=$!
begun
kill -s TERM "$recorder"
ended
expect "blocked by whoever started it: status of COMMAND" [ $status -eq 143 ]
expect "blocked by whoever started it: a trace.dat" is_datfile a.dat

record -o a.dat -- sleep 30
begun
kill -s TERM "$recorder"
ended
expect "status of the killed COMMAND" [ $status -eq 143 ]
expect "a trace.dat" is_datfile a.dat

record -o a.dat -- sh -c 'trap "" TERM; touch heedless; until [ -e seen ]; do sleep 0.1; done; true'
expect "a COMMAND that does not heed: runs" await 20 [ -e heedless ]
kill -s TERM "$recorder"
expect "a COMMAND that does not heed: who is waited for" await 20 \
	said 'recorded; waiting for sh\[[0-9]*\] to end, or for a second signal$'
touch seen
ended
expect "a COMMAND that does not heed: its status" [ $status -eq 0 ]
finish
