#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The text files of tracefs by their names - trace, trace_pipe, those of a CPU, with options/fields and
# options/verbose - have the events that copies of them have.
. "$(dirname "$0")/prelude.sh"

need jq
instance=$tracing/instances/ftwait-text-$$
trap 'rmdir "$instance" 2> /dev/null; scratch_remove' EXIT
mkdir "$instance" || exit 77

events_of() { # FILE
	"$FTWAIT" report --all --json "$1" 2> errors | jq .trace.events
}

switches_of() { # FILE
	"$FTWAIT" report --all --json "$1" 2> errors | jq '[.summary.tasks[].switches] | add'
}

# the lines that are events, in a copy
lines_of() { # FILE
	grep -cE ': sched_[a-z]+:' "$1"
}

# same WHAT FILE: by name as many events as lines in a copy, and the same switches
same() {
	cat "$2" > copy
	expect "$1: there are events" [ "$(lines_of copy)" -gt 0 ]
	expect "$1: by name" [ "$(events_of "$2")" = "$(lines_of copy)" ]
	expect "$1: the copy" [ "$(events_of copy)" = "$(lines_of copy)" ]
	expect "$1: the switches" [ "$(switches_of "$2")" = "$(switches_of copy)" ]
}

for event in sched_switch sched_waking; do
	echo 1 > "$instance/events/sched/$event/enable"
done
sleep 0.1
echo 0 > "$instance/tracing_on"
same trace "$instance/trace"
switches=$(switches_of "$instance/trace")
expect "trace on standard input" [ "$(events_of - < "$instance/trace")" = "$(lines_of copy)" ]
for cpu in "$instance"/per_cpu/cpu*; do
	[ "$(grep -c sched_ "$cpu/trace")" -gt 0 ] && same "${cpu##*/}/trace" "$cpu/trace"
done
for option in fields verbose latency-format; do
	[ -e "$instance/options/$option" ] || continue
	echo 1 > "$instance/options/$option"
	same "options/$option" "$instance/trace"
	expect "options/$option: as without" [ "$(switches_of "$instance/trace")" = "$switches" ]
	echo 0 > "$instance/options/$option"
done

# a pipe has no end while tracing is on: Ctrl-C ends it with the report
mkfifo pipe
echo 1 > "$instance/tracing_on"
env --default-signal "$FTWAIT" report --all --json "$instance/trace_pipe" > report.json 2> errors &
reporter=$!
sleep 1
expect "Ctrl-C: it goes on" kill -INT "$reporter"
await 20 has_ended "$reporter"
wait "$reporter"
expect "Ctrl-C: status 0" [ $? -eq 0 ]
expect "Ctrl-C: there are events" [ "$(jq .trace.events report.json)" -gt 0 ]

lines() { # COUNT: there are so many periods
	[ "$(wc -l < report.json)" -ge "$1" ]
}

# --follow reports on it meanwhile
adjoin='[.[].trace.period] | . as $p | [range(1; length) | $p[.].begin_ns == $p[. - 1].end_ns] | all'
for how in by-name by-fifo; do
	file=$instance/trace_pipe
	if [ $how = by-fifo ]; then
		cat "$instance/trace_pipe" > pipe &
		writer=$!
		file=pipe
	fi
	: > report.json # lines of the one before do not count
	env --default-signal "$FTWAIT" report --follow=300ms --all --json "$file" \
		> report.json 2> errors &
	reporter=$!
	expect "$how: periods come while it is written" await 20 lines 3
	expect "$how: it goes on" kill -INT "$reporter"
	await 20 has_ended "$reporter"
	wait "$reporter"
	expect "$how: status 0" [ $? -eq 0 ]
	expect "$how: each period has events" [ "$(jq -s '[.[].trace.events > 0] | all' report.json)" = true ]
	expect "$how: they follow each other" [ "$(jq -s "$adjoin" report.json)" = true ]
	expect "$how: no event comes too late" [ "$(jq -s '[.[].health.late_events] | add' report.json)" = 0 ]
	expect "$how: nothing is wrong" [ ! -s errors ]
	[ $how = by-name ] || kill "$writer" 2> /dev/null
done
echo 0 > "$instance/tracing_on"
wait
finish
