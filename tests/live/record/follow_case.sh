#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# report --follow: a recording through a pipe and one into a file that grows, in periods that follow
# each other and agree with a report of the finished file; its end by a signal and by the recorder's
# death.
. "$(dirname "$0")/prelude.sh"

need jq
jobs_begun=
end_jobs() {
	# shellcheck disable=SC2086 # several
	[ -z "$jobs_begun" ] || kill -9 $jobs_begun 2> /dev/null
}
trap 'end_jobs; scratch_remove' EXIT

seconds() { # NANOSECONDS
	echo "${1%?????????}.$(printf %s "$1" | tail -c 9)"
}

lines() { # FILE COUNT: it has at least so many
	[ "$(wc -l < "$1")" -ge "$2" ]
}

# each period begins where the one before ended
adjoin='[.[].trace.period] | . as $p | [range(1; length) | $p[.].begin_ns == $p[. - 1].end_ns] | all'
# the time that all tasks ran in the run of the summary
running='[.summary.costs[] | select(.state == "running") | .total_ns] | add // 0'

cp "$(readlink -f /bin/sh)" spinner
./spinner -c 'while :; do :; done' &
jobs_begun=$!

# through a pipe, kept on the way
"$FTWAIT" record -o - -d 2 2> errors | tee kept.dat | "$FTWAIT" report --follow=500ms --json - > lines
expect "pipe: three whole periods" lines lines 3
expect "pipe: they follow each other" [ "$(jq -s "$adjoin" lines)" = true ]
expect "pipe: the first is as long as asked" \
	[ "$(jq -s '.[0].trace.period | .end_ns - .begin_ns' lines)" = 500000000 ]
expect "pipe: the busy task is in each whole one" \
	[ "$(head -n 3 lines | jq -s '[.[] | [.summary.tasks[].task.comm] | index("spinner") != null] | all')" = true ]

# the same periods of what was kept
jq -r '.trace.period | "\(.begin_ns) \(.end_ns)"' lines | head -n 3 > periods
at=0
while read -r begin end; do
	at=$((at + 1))
	"$FTWAIT" report kept.dat --from "$(seconds "$begin")" --to "$(seconds "$end")" --json \
		> whole 2>> errors
	live=$(sed -n "${at}p" lines | jq "$running")
	expect "period $at: a task ran" [ "$live" -gt 0 ]
	expect "period $at: as long as in the finished file" [ "$live" = "$(jq "$running" whole)" ]
done < periods
expect "three were compared" [ $at -eq 3 ]

# what the recording lacks is noted, as in a report of the finished file
"$FTWAIT" record -q -e sched -o - -d 300ms > lacks.dat 2> errors
notes='[.health.notes[] | select(startswith("no irq, block, net events in this trace"))]'
"$FTWAIT" report --follow=1h --json lacks.dat 2>> errors | jq -c "$notes" > live_notes
"$FTWAIT" report --json lacks.dat 2>> errors | jq -c "$notes" > notes
expect "missing groups: noted" [ "$(jq length notes)" = 1 ]
expect "missing groups: as in the finished file" cmp -s notes live_notes

# a file that grows, until a signal: the last period is there, too
record -o - -d 60 > growing.dat
begun
env --default-signal "$FTWAIT" report --follow=500ms --json growing.dat > lines 2> errors.follow &
reader=$!
jobs_begun="$jobs_begun $reader"
expect "file: periods come while it grows" await 20 lines lines 2
kill -INT $reader
wait $reader
expect "file: a signal ends it with status 0" [ $? -eq 0 ]
expect "file: every line is whole" [ "$(jq -s 'length' lines)" = "$(wc -l < lines)" ]
expect "file: nothing on standard error" [ ! -s errors.follow ]
kill -INT "$recorder"
ended

# the recorder dies: what came until then is reported, and that it was cut
mkfifo pipe
"$FTWAIT" report --follow=500ms pipe > blocks 2> errors.follow &
reader=$!
record -o - -d 60 > pipe
jobs_begun="$jobs_begun $reader $recorder"
expect "death: blocks come" await 20 grep -q '^pipe, 0.500000 to 1.000000 s: ' blocks
kill -KILL "$recorder"
wait "$recorder" 2> /dev/null
wait $reader
expect "death: the report ends by itself" [ $? -eq 0 ]
expect "death: it says that the stream was cut" grep -q 'pipe: ' errors.follow
rmdir "$tracing/instances/ftwait.$recorder"* 2> /dev/null
finish
