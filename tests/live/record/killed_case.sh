#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9: the kernel stops tracing, the file can be read, the next record cleans up.
# alone: looks at the instance of a killed recorder, which any other recorder removes
. "$(dirname "$0")/prelude.sh"

need trace-cmd

confidence_of_sleep() {
	"$FTWAIT" report a.dat --waits --format csv --tid $sleeper 2> errors |
		awk -F , '$1 == "begin_ns" { for (i = 1; i <= NF; i++) at[$i] = i } $(at["cause_kind"]) == "timer" { print $(at["confidence"]); exit }'
}

is_certain() {
	[ "$(confidence_of_sleep)" = high ]
}

# a sleep that has begun before the recording, and ends in it
sleep 3 &
sleeper=$!
record -o a.dat
begun
await 20 is_certain
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
left=$tracing/instances/ftwait.$recorder
expect "the instance is still there" [ -d "$left" ]
expect "but does not trace" [ "$(cat "$left/tracing_on")" = 0 ]
expect "and holds no memory" [ "$(cat "$left/buffer_total_size_kb")" -lt 1000 ]
expect "a stream" is_stream a.dat

dead=$recorder
record -o b.dat true
ended
expect "the next record removes it" [ ! -e "$left" ]
expect "and says so" said "ftwait\.$dead"
# where nobody reaps it, the dead recorder is a zombie: no less dead
sh -c '"$FTWAIT" record -o z.dat 2> /dev/null & echo $! > zombie; exec sleep 60' &
keeper=$!
await 20 [ -s zombie ]
zombie=$(cat zombie)
expect "it records" await 30 traces "$zombie"
kill -9 "$zombie"
# its other threads may still be about to end, and hold the lock of the instance
is_zombie() {
	grep -q '^State:.*Z' "/proc/$zombie/status" &&
		[ "$(find "/proc/$zombie/task" -mindepth 1 -maxdepth 1 | wc -l)" = 1 ]
}
expect "a zombie" await 20 is_zombie
record -o b.dat true
ended
expect "the next record removes a zombie's instance" [ ! -e "$tracing/instances/ftwait.$zombie" ]
kill "$keeper"
"$FTWAIT" report --strict a.dat > before 2> errors
expect "half a recording is a damaged input" [ $? -eq 3 ]
expect "the end of the sleep is certain" is_certain
"$FTWAIT" record --repair a.dat 2> errors
expect "--repair: status 0" [ $? -eq 0 ]
expect "--repair says what it is" said 'did not end cleanly'
expect "it is certain after --repair, too" is_certain
"$FTWAIT" report --strict a.dat > after 2> errors
expect "after --repair, too" [ $? -eq 3 ]
expect "and says why" grep -q 'cut short: recording did not end cleanly' after
expect "as before" grep -q 'cut short: recording did not end cleanly' before
"$FTWAIT" report --json a.dat > json 2> errors
expect "also as JSON" grep -q '"input_damaged": *true' json
expect "--repair makes a trace.dat" is_datfile a.dat
expect "with events" [ "$(trace_events a.dat)" -gt 0 ]
expect "no complaint of trace-cmd" [ ! -s warnings ]
"$FTWAIT" record --repair a.dat -o b.dat 2> errors
expect "--repair with -o is refused" [ $? -eq 2 ]
expect "and says why" said 'takes no -o'
"$FTWAIT" record --repair a.dat -- true 2> errors
expect "--repair with a command is refused" [ $? -eq 2 ]
"$FTWAIT" record --repair a.dat 2> errors
expect "--repair again: nothing to do" [ $? -eq 0 ]
finish
