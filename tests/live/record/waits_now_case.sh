#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What top says of waits that have not ended: of programs that know what they wait for, since when,
# and behind which task.
. "$(dirname "$0")/prelude.sh"

need jq
need ps
oracle=$(dirname "$FTWAIT")/tests/live/oracles/waits_now

# seen_at TID: when a look of the recorder first saw that it waits
seen_at() {
	grep -a -o "waits $1 [0-9]* [0-9]*" stream | head -n 1 | cut -d ' ' -f 4
}

# some task waited for a CPU for a fifth of the last ten seconds
cpus_are_busy() {
	awk '/^some/ { sub("avg10=", "", $2); is_free = $2 < 20 } END { exit is_free }' /proc/pressure/cpu 2> /dev/null
}

# NAME KIND WORDS [BEFORE]: says what is wrong with what top shows of the task of that name; BEFORE:
# words that it may show before the recorder has looked at the wait. The program reads the clock before it waits,
# and may be preempted in between for less than a second; top shows a wait when the recorder has looked at it
# twice. On a busy machine its looks, which take little of a CPU, see only some of the tasks each: when one has
# seen the wait is in the stream.
check() {
	before=${4:-}
	"$FTWAIT" top - --json --comm "$1" < stream > "$1.json" 2> errors || {
		echo "$1: status $?"
		return 1
	}
	# shellcheck disable=SC2046 # three words
	set -- "$1" "$2" "$3" $(sed -n "s/^$1 //p" facts)
	if [ $# -ne 6 ]; then
		echo "$1: the program does not wait"
		return 1
	fi
	# shellcheck disable=SC2016 # of jq
	jq -s -r --arg name "$1" --arg kind "$2" --arg for "$3" --argjson tid "$4" \
		--argjson begin "$5" --argjson holder "$6" --argjson timed $timed \
		--argjson seen "$(seen_at "$4")" --argjson busy $is_busy \
		--arg before "$before" '
		[.[] | select(.longest_open.task.tid == $tid and .longest_open.cause != null)] as $shown |
		if ($shown | length) < 2 then "\($name): shown \($shown | length) times" else
		($shown | map(.longest_open)) as $open |
		($open | map(.since_ns) | unique) as $since |
		($since[0] - $begin | $timed and (. < 0 or . >= 1e9) | if . then
			"\($name): since \($since[0]), not \($begin)" else empty end),
		($since | length != 1 | if . then "\($name): since \($since)" else empty end),
		($shown[0] | .end_ns - 2 * (.end_ns - .begin_ns) > $seen | if . then
			"\($name): shown late" else empty end),
		($shown[0] | ($busy | not) and .end_ns - 3 * (.end_ns - .begin_ns) > $since[0] | if . then
			"\($name): seen late" else empty end),
		($open[] | select(.cause.kind != $kind) | "\($name): \(.cause)"),
		($open[] | [.cause.for, .cause.name] as $is |
			select($for != "-" and ($is | index($for) | not) and
			       ($is | index($before) | not)) | "\($name): for \(.cause)"),
		($open[-1] | select($for != "-" and ([.cause.for, .cause.name] | index($for) | not)) |
			"\($name): at the end for \(.cause)"),
		($open[] | select((.behind.tid // 0) != $holder) | "\($name): behind \(.behind)")
		end' "$1.json" > wrong
	[ -s wrong ] || return 0
	cat wrong
	return 1
}

# checks: of the stream in the file `stream`
checks() {
	bad=0
	check now_flock lock "flock $scratch/now_flock" 'flock of a file' || bad=1
	check now_posix lock "fcntl lock $scratch/now_posix" 'fcntl lock of a file' || bad=1
	check now_mutex lock - || bad=1
	check now_child task 'wait4 of a child' || bad=1
	check now_pipe task 'data from a pipe' || bad=1
	check now_unix task 'data from a unix socket' || bad=1
	check now_tcp task 'TCP receive' || bad=1
	return $bad
}

# stream_begins FILE ARGUMENT...: a recorder that goes on until it is ended
stream_begins() {
	stream=$1
	shift
	env --default-signal "$FTWAIT" record -q --flush 200ms "$@" -o - 2> errors > "$stream" &
	recorders="$recorders $!"
	expect "$stream: recording begins" await 30 traces $!
}

# All look at one run of the programs: two streams, top as text with a recorder of its own, and a recorder that
# does not look at tasks.
observe() {
	recorders=
	stream_begins mono
	stream_begins boot --clock boot
	stream_begins blind --no-snapshot
	env --default-signal "$FTWAIT" top -b --comm now_flock > blocks 2> errors.top &
	top=$!
	expect "top: recording begins" await 30 child_traces $top
	rm -f release
	mkfifo release
	"$oracle" < release > facts &
	programs=$!
	exec 9> release
	expect "the recorders see all waits" await 60 all_are_seen
	expect "top: what for, and behind which task" await 60 grep -q "$flock_line" blocks
	# two intervals of top, at least, that have all
	sleep 3
	is_busy=false
	cpus_are_busy && is_busy=true
	kill -INT $top
	wait $top
	top_status=$?
	exec 9>&-
	wait $programs
	# shellcheck disable=SC2086 # several
	kill -INT $recorders
	# shellcheck disable=SC2086
	wait $recorders
}

# both streams have a line of each program
all_are_seen() {
	[ "$(wc -l < facts)" -eq 7 ] || return 1
	while read -r _ tid _; do
		grep -a -q "waits $tid " mono && grep -a -q "waits $tid " boot || return 1
	done < facts
}

flock_line='^LONGEST  now_flock\[[0-9]*\] asleep for .*: lock flock .*now_flock, behind waits_now\[[0-9]*\]$'

# right STREAM IS_TIMED: the program has only the clock mono
right() {
	timed=$2
	cp "$1" stream
	checks > "said.$1"
}

# where the kernel leaves out switches of the recording, and waits with them: then again
for _ in 1 2 3; do
	observe
	right mono true && right boot false && break
	is_incomplete mono || is_incomplete boot || break
done
expect "open waits: $(cat said.mono)" right mono true
expect "open waits, with the clock boot: $(cat said.boot)" right boot false

expect "blocks: status 0" [ $top_status -eq 0 ]

# nothing of it in a report
"$FTWAIT" report stream --json > report.json 2> errors
expect "a report of the stream: status 0" [ $? -eq 0 ]

# the tasks are not looked at
expect "there are lines of waits" [ "$(grep -a -c '^waits ' mono)" -gt 0 ]
expect "--no-snapshot: no such lines" [ "$(grep -a -c '^waits ' blind)" = 0 ]
finish
