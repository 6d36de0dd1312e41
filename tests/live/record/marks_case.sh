#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What programs write to the top level's trace_marker is in the recording, who wrote it and when is
# right, and nobody is disturbed: their writes go on to succeed, also after kill -9.
. "$(dirname "$0")/prelude.sh"

need_marks

uptime_ns() { # CLOCK_MONOTONIC to 10 ms
	awk '{ printf "%.0f", $1 * 1000000000 }' /proc/uptime
}

before=$(uptime_ns)
record -e sched -o a.dat -- sh -c '
	echo $$ > writer
	echo "step one" > '"$tracing"'/trace_marker
	sleep 0.3
	printf "step two\nhas \033[31m two lines" > '"$tracing"'/trace_marker
	sleep 0.1'
ended
after=$(uptime_ns)
expect "status 0" [ "$status" -eq 0 ]
"$FTWAIT" report a.dat --processes --json > a.json
expect "both marks" [ "$(grep -c '"text": "step' a.json)" -eq 2 ]
expect "the writer" grep -q "\"tid\": $(cat writer),.*\"text\": \"step one\"" a.json
expect "control characters" grep -qF '"text": "step two\nhas \u001b[31m two lines"' a.json
at=$(sed -n 's/.*"at_ns": \([0-9]*\),.*"step one".*/\1/p' a.json)
between=$((($(sed -n 's/.*"at_ns": \([0-9]*\),.*"text": "step two.*/\1/p' a.json) - at) / 1000000))
expect "its time: not before" [ "$at" -ge $((before - 20000000)) ]
expect "its time: not after" [ "$at" -le $((after + 20000000)) ]
"$FTWAIT" report a.dat --waits --json --tid "$(cat writer)" --from 'step one' --to 'step two*' > b.json
slept=$(sed -n 's/.*"begin_ns": \([0-9]*\), "end_ns": \([0-9]*\), .*"name": "exit".*/\1 \2/p' b.json |
	awk '{ if ($2 - $1 > most) most = $2 - $1 } END { printf "%d", most / 1000000 }')
# the shell begins to wait later than its child to sleep, on a busy machine by much
expect "what was slept between them: $slept ms" [ "$slept" -ge 200 ]
expect "no more than what lies between them: $between ms" [ "$slept" -le "$between" ]
"$FTWAIT" report a.dat --from 'step oen' 2> errors
expect "an unknown mark is a failure" [ $? -eq 1 ]
expect "that suggests the nearest" said 'did you mean "step one"'

record -e sched -q -o c.dat
begun
hold
expect "a write meanwhile" sh -c 'echo "while it records" > "$0"' "$tracing/trace_marker"
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
left=$tracing/instances/ftwait.$recorder
copies_nothing() {
	[ "$(cat "$left/options/copy_trace_marker")" = 0 ]
}
expect "no copy of a killed recorder" await 20 copies_nothing
expect "a write after it was killed" sh -c 'echo "after kill -9" > "$0"' "$tracing/trace_marker"
let_go
"$FTWAIT" cleanup > /dev/null
expect "cleanup removes it" [ ! -e "$left" ]
finish
