#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Somebody else writes to our instance: what is counted is what the file holds, and it is said.
. "$(dirname "$0")/prelude.sh"

need jq

events_in() {
	"$FTWAIT" report --json "$1" | jq .trace.events
}

has_note() {
	"$FTWAIT" report --json "$1" | jq -e --arg note "$2" \
		'.health.notes | any(contains($note))' > /dev/null
}

now_ms() {
	awk '{ printf "%.0f", $1 * 1000 }' /proc/uptime
}

# spoil NAME COMMAND...: records, and COMMAND runs in the instance meanwhile, until the time $to, in ms;
# the recorder is started at $start and stopped at $stop
spoil() {
	name=$1
	shift
	start=$(now_ms)
	record -o "$name.dat"
	begun
	sleep 0.4
	(cd "$tracing/instances/ftwait.$recorder" && "$@") > /dev/null 2>&1
	to=$(now_ms)
	sleep 0.2
	stop=$(now_ms)
	kill -INT "$recorder"
	ended
	expect "$name: status 0" [ $status -eq 0 ]
	expect "$name: the count is that of the file" [ "$(events_in "$name.dat")" = "$(told events)" ]
}

spoil off sh -c 'echo 0 > tracing_on'
expect "off: it is said" said 'somebody else changed the instance, .*: tracing was switched off$'
expect "off: once" [ "$(grep -c 'switched off' errors)" = 1 ]
# both in ms
covered=$(sed -n 's/.*, \([0-9.]*\) s of .* -> .*/\1/p' errors | awk '{ print $1 * 1000 }')
length=$(sed -n 's/.* s of \([0-9.]*\) s -> .*/\1/p' errors | awk '{ print $1 * 1000 }')
expect "off: the closing line has the time that is covered" \
	[ "${covered:-0}" -ge 300 -a "${covered:-0}" -le $((to - start + 100)) ]
expect "off: and the time in all" [ $((${length:-0} - ${covered:-0})) -ge $((stop - to - 100)) ]
expect "off: the file says it too" has_note off.dat 'tracing was switched off'

spoil events sh -c 'echo > set_event'
expect "events: it is said" said ': events were switched off: 0 are on, [0-9]* were$'
expect "events: the file says it too" has_note events.dat 'events were switched off'

spoil clock sh -c 'echo boot > trace_clock'
expect "clock: it is said" said ': the clock was changed from mono to boot, '
expect "clock: the file says it too" has_note clock.dat 'the clock was changed'

missing='was written to; events may be missing that are not counted as lost$'
# at once: a look in between would say that it is off
spoil again sh -c 'echo 0 > tracing_on; echo 1 > tracing_on'
expect "off and on again: it is said" said ": tracing_on $missing"
expect "off and on again: the file says it too" has_note again.dat 'tracing_on was written to'

spoil emptied sh -c 'echo > trace'
expect "emptied: it is said" said ": trace $missing"

spoil eaten timeout 20 head -c 1000 trace_pipe
expect "eaten: it is said" said '[0-9] events are lost: somebody else read them out of the instance$'
expect "eaten: the file says it too" has_note eaten.dat 'somebody else read them out'
taken=$(told lost)
expect "eaten: they are lost: $taken" [ "${taken:-0}" -gt 0 ]
expect "eaten: the report counts as many" [ "$("$FTWAIT" report --json eaten.dat | jq .health.events_lost)" = "$taken" ]
expect "eaten: its health begins with that" eval "\"\$FTWAIT\" report eaten.dat | tr -d , | grep -q '^health: .*; $taken events lost'"
"$FTWAIT" report --strict eaten.dat > report 2> errors
expect "eaten: --strict" [ $? -eq 3 ]

record -o fine.dat -d 300ms
ended
expect "else nothing is said" [ "$(lines)" = 1 ]
finish
