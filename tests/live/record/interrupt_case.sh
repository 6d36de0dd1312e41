#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-C, which goes to all of a pipeline: report shows what had come when the recorder ends; it does
# not wait for a writer that goes on, if it is pressed again.
. "$(dirname "$0")/prelude.sh"

need jq
need setsid

# pipeline WRITER: in a process group of its own, as a shell on a terminal has it; its shell stays
pipeline() {
	rm -f writer reader status
	# shellcheck disable=SC2016 # for the shell that begins there
	env --default-signal setsid sh -c 'trap : INT
		sh -c "echo \$\$ > writer; $1" | sh -c "echo \$\$ > reader; exec \"$0\" report --json -" \
			> report.json 2> errors.report
		echo $? > status' "$FTWAIT" "$1" 2> errors &
	group=$!
	expect "it begins" await 20 [ -s writer -a -s reader ]
}

# reads: report reads from the pipe
reads() {
	[ "$(cut -d ' ' -f 3 "/proc/$(cat reader)/stat")" = S ] &&
		[ "$(cat "/proc/$(cat reader)/comm")" = ftwait ]
}

pipeline "exec \"$FTWAIT\" record -q -o - -d 60"
recorder=$(cat writer)
expect "it records" await 20 recorder_traces
expect "report reads" await 20 reads
sleep 0.5
kill -INT "-$group"
expect "report ends" await 20 [ -s status ]
wait "$group"
expect "status 0" [ "$(cat status)" = 0 ]
expect "what came is reported" [ "$(jq '.health.events > 0' report.json)" = true ]
expect "no message" [ ! -s errors.report ]
expect "the instance is removed" [ ! -e "$tracing/instances/ftwait.$recorder" ]

pipeline "trap '' INT; exec sleep 60"
expect "report reads" await 20 reads
sleep 0.5
kill -INT "-$group"
sleep 1
expect "once: it reads on" [ -e "/proc/$(cat reader)" -a ! -s status ]
kill -INT "$(cat reader)"
expect "twice: it ends" await 10 [ ! -e "/proc/$(cat reader)" ]
kill "$(cat writer)"
wait "$group"
expect "twice: by the signal" [ "$(cat status)" = 130 ]
finish
