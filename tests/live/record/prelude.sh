# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the cases of this folder. A case says what it expects by `expect`, ends with `finish`,
# and has $FTWAIT (the program) and a scratch folder as its working directory. Exit status 77: the
# machine cannot run the case, standard output says why.
set -u

FTWAIT=${FTWAIT:?path of the program to test}
failures=0
. "$(dirname "$0")/../tracing.sh"
if [ -z "$tracing" ]; then
	echo "no tracefs that this user may write to"
	exit 77
fi

scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/ftwait-record.XXXXXX") || exit 1
cd "$scratch" || exit 1
scratch_remove() {
	cd / && { umount "$scratch/disk" 2> /dev/null; rm -rf "$scratch"; }
}
trap scratch_remove EXIT
trap 'exit 130' INT TERM

# need PROGRAM: skips the case where it is not installed
need() {
	command -v "$1" > /dev/null && return
	echo "needs $1"
	exit 77
}

# what this writes to the top level's trace_marker is to come into recordings
need_marks() {
	if [ ! -e "$tracing/options/copy_trace_marker" ]; then
		echo "this kernel has no copies of trace_marker (options/copy_trace_marker)"
		exit 77
	fi
	if [ "$(cat "$tracing/tracing_on")" = 0 ]; then
		echo "tracing is off at the top level, where this writes to trace_marker"
		exit 77
	fi
}

# expect WHAT TEST...: the test must hold
expect() {
	what=$1
	shift
	"$@" && return
	echo "FAIL: $what"
	[ -s errors ] && sed 's/^/    stderr: /' errors
	failures=$((failures + 1))
}

# record ARGUMENT...: in the background, so that the name of its instance is known: sets $recorder.
# Signals that whoever runs the tests ignores (nohup) are not ignored by it.
record() {
	: > errors # so that what an earlier one said is not taken for the words of this one
	env --default-signal "$FTWAIT" record "$@" 2> errors &
	recorder=$!
}

# ended: waits for it and sets $status; the instance must be gone
ended() {
	wait "$recorder"
	status=$?
	expect "instance ftwait.$recorder is removed" [ ! -e "$tracing/instances/ftwait.$recorder" ]
}

# lines: how many lines the last command said; not those on what a recorder of another case left, if it was
# killed: whichever recorder begins next removes that, and says so
lines() {
	grep -cv ', left behind by a killed ftwait' errors
}

# await SECONDS TEST...: until the test holds; false where it does not in that time
await() {
	tries=$(($1 * 10))
	shift
	while ! "$@"; do
		[ $tries -gt 0 ] || return 1
		tries=$((tries - 1))
		sleep 0.1
	done
}

# has_ended PID: whether somebody has waited for it or not
has_ended() {
	! grep -qs '^State:.[^XZ]' "/proc/$1/status"
}

# hold [SUFFIX]: keeps the recorder's instance of that suffix after the recorder's death, until `let_go`: any
# other recorder would remove it, but that nobody can while a file of it is open
hold() {
	exec 8< "$tracing/instances/ftwait.$recorder${1:-}/tracing_on"
}

let_go() {
	exec 8<&-
}

# traces PID: a new instance is on, but has no events
traces() {
	grep -q . "$tracing/instances/ftwait.$1/set_event" 2> /dev/null &&
		[ "$(cat "$tracing/instances/ftwait.$1/tracing_on" 2> /dev/null)" = 1 ]
}

recorder_traces() {
	traces "$recorder"
}

# child_traces PID: the process of a flight recorder, or of top, that traces is its child: sets $tracer
child_traces() {
	tracer=$(ps -o pid= --ppid "$1" | head -n 1 | tr -d ' ')
	[ -n "$tracer" ] && traces "$tracer"
}

# begun: waits until the recorder traces; fails after 30 s
begun() {
	expect "recording begins" await 30 recorder_traces
}

# flight_begun: the same for a flight recorder
flight_begun() {
	expect "recording begins" await 30 child_traces "$recorder"
}

# said PATTERN: standard error has it
said() {
	grep -q -e "$1" errors
}

# told FIELD: the number of the closing line before that word ("events", "lost")
told() {
	sed -n "s/^\[ ftwait: .* \([0-9,]*\) $1.*/\1/p" errors | tr -d ,
}

# trace_events FILE: what trace-cmd counts
trace_events() {
	trace-cmd report "$1" 2> warnings | grep -v -e '^cpus=' -e 'EVENTS DROPPED' | wc -l
}

# has_events FILE: a report counts some, also while the recorder goes on
has_events() {
	"$FTWAIT" report --json --summary "$1" 2> /dev/null | grep -q '"events": *[1-9]'
}

is_stream() {
	[ "$(head -c 7 "$1" | tail -c 6)" = ftwait ]
}

is_datfile() {
	[ "$(head -c 10 "$1" | tail -c 7)" = tracing ]
}

finish() {
	[ $failures -eq 0 ]
	exit
}
