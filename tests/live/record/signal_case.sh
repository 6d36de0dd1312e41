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

record -o a.dat -- sleep 30
begun
kill -s TERM "$recorder"
ended
expect "status of the killed COMMAND" [ $status -eq 143 ]
expect "a trace.dat" is_datfile a.dat
finish
