#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# top: its intervals, what it says of a load that is known, of a task that hangs in state D, that it
# agrees with report, and that it leaves neither an instance nor a changed terminal behind.
. "$(dirname "$0")/prelude.sh"

need jq
need ps
jobs_begun=
end_jobs() {
	# shellcheck disable=SC2086 # several
	[ -z "$jobs_begun" ] || kill -9 $jobs_begun 2> /dev/null
	fsfreeze -u "$scratch/disk" 2> /dev/null
}
trap 'end_jobs; scratch_remove' EXIT

# all JSON lines of a file hold the condition
holds() { # FILE CONDITION
	jq -s -e "$2" "$1" > /dev/null && return
	head -c 2000 "$1"
	return 1
}

# the recorder that is a child of top has one; other recorders may run meanwhile
no_instance_of() { # PID
	[ ! -e "$tracing/instances/ftwait.$1" ]
}

recorder_of() { # PID of top: sets $recorder
	recorder=$(ps -o pid= --ppid "$1" | tr -d ' ')
	[ -n "$recorder" ] && [ -e "$tracing/instances/ftwait.$recorder" ]
}

seconds() { # NANOSECONDS
	echo "${1%?????????}.$(printf %s "$1" | tail -c 9)"
}

cp "$(readlink -f /bin/sh)" top_spins
cp "$(readlink -f /bin/sh)" top_sleeps
./top_spins -c 'while :; do :; done' &
spinner=$!
# shellcheck disable=SC2016
./top_sleeps -c 'while :; do sleep 0.05; done' &
jobs_begun="$spinner $!"

# blocks
"$FTWAIT" top -b -n 3 -i 500ms --top 0 > blocks 2> errors &
top=$!
expect "blocks: it records" await 20 recorder_of $top
wait $top
expect "blocks: status 0" [ $? -eq 0 ]
expect "blocks: three" [ "$(grep -c '^ftwait top ' blocks)" = 3 ]
expect "blocks: the busy task" [ "$(grep -c ' top_spins ' blocks)" = 3 ]
expect "blocks: nothing on standard error" [ ! -s errors ]
expect "blocks: no instance is left" await 20 no_instance_of "$recorder"

# JSON, beside a recording of the same time
# shellcheck disable=SC2016 # of jq
full='(.end_ns - .begin_ns) as $d | .rows[] | select(.comm == "top_spins") |
	(.running_ns + .runnable_ns) / $d | . > 0.98 and . < 1.02'
# running and waits of both tasks in the second interval, as top and as report say
agree() {
	record -q -o a.dat
	begun
	"$FTWAIT" top --json -n 3 -i 500ms > top.json 2> top_errors
	top_status=$?
	kill -INT "$recorder"
	ended
	begin=$(jq -s '.[1].begin_ns' top.json) end=$(jq -s '.[1].end_ns' top.json)
	"$FTWAIT" report a.dat --json --from "$(seconds "$begin")" --to "$(seconds "$end")" \
		> report.json 2> errors
	jq -s -r '.[1].rows[] | select(.comm == "top_spins" or .comm == "top_sleeps") |
		"\(.comm) \(.running_ns) \(.waits)"' top.json | sort > of_top
	jq -r '[.. | objects | select(has("running_ns") and .task.comm? == ("top_spins", "top_sleeps"))] |
		group_by(.task.comm)[] | "\(.[0].task.comm) \(.[0].running_ns) \(.[0].waits)"' \
		report.json | sort > of_report
	paste -d ' ' of_top of_report | awk '
		function apart(a, b) { return a > b ? a - b : b - a }
		$1 != $4 { bad = 1 }
		# the parts of a wait at the borders may count as one more
		$1 == "top_sleeps" && ($3 < 2 || apart($3, $6) > 2) { bad = 1 }
		$1 == "top_spins" && apart($2, $5) > 0.02 * $5 { bad = 1 }
		END { exit bad || NR != 2 }'
}
for _ in 1 2 3; do
	agree && agrees=0 && break
	agrees=1
done
[ "$agrees" -eq 0 ] || cat of_top of_report
expect "it agrees with report" [ "$agrees" -eq 0 ]
expect "JSON: status 0" [ "$top_status" -eq 0 ]
expect "JSON: nothing on standard error" [ ! -s top_errors ]
expect "JSON: three objects" holds top.json 'length == 3 and all(.schema == "ftwait.top/1")'
expect "JSON: a line for each" [ "$(wc -l < top.json)" = 3 ]
expect "JSON: no gap between intervals" \
	holds top.json '.[0].end_ns == .[1].begin_ns and .[1].end_ns == .[2].begin_ns'
expect "JSON: a busy task runs or is queued all the time" holds top.json ".[1:] | all($full)"
"$FTWAIT" top --json -n 2 -i 500ms --sort running --top 3 > sorted.json 2> errors
expect "--sort: the most running first" \
	holds sorted.json 'all(.[]; [.rows[].running_ns] | length > 0 and . == (sort | reverse))'
expect "JSON: nothing lost" holds top.json 'all(.lost == 0)'

# what another recorder writes
"$FTWAIT" record -q -o - -d 2 2> errors > stream
expect "a stream is recorded" [ $? -eq 0 ]
"$FTWAIT" top - -i 500ms --json < stream > file.json 2> errors &
top=$!
jobs_begun="$jobs_begun $top"
enough() { [ "$(wc -l < file.json)" -ge 2 ]; }
expect "a stream in a file: shown" await 20 enough
expect "a stream in a file: the busy task" holds file.json ".[1:2] | all($full)"
kill -9 $top 2> /dev/null
"$FTWAIT" record -q -o - -d 2 2> errors | "$FTWAIT" top - -i 500ms --json > pipe.json 2> top_errors
expect "a stream that ends: status 0" [ $? -eq 0 ]
expect "a stream that ends: intervals" holds pipe.json 'length >= 2'
expect "a stream that ends: the busy task" holds pipe.json ".[1:2] | all($full)"
expect "a stream that ends: own CPU is not known" holds pipe.json 'all(.own_cpu == null)'
expect "a stream that ends: no message" [ ! -s top_errors ]

"$FTWAIT" top --json -n 1 -p $spinner > one.json 2> errors
expect "a process: status 0" [ $? -eq 0 ]
expect "a process: its row only" holds one.json '.[0].rows | length == 1 and .[0].comm == "top_spins"'
kill $spinner

# the recorder ends when top is killed
"$FTWAIT" top --json > killed.json 2> errors &
top=$!
expect "killed: it records" await 20 recorder_of $top
kill -9 $top
wait $top 2> /dev/null
expect "killed: the recorder removes its instance" await 20 no_instance_of "$recorder"
expect "killed: the recorder ends" await 20 [ ! -e "/proc/$recorder" ]

# a terminal
if command -v script > /dev/null && command -v stty > /dev/null; then
	cat > session.sh <<- 'EOF'
		stty rows 24 cols 80
		echo $$ > shell
		stty -a > before
		"$FTWAIT" top -i 200ms 2> errors
		echo $? > status
		stty -a > after
	EOF
	rm -f status
	mkfifo keys
	TERM=xterm script -qefc 'sh session.sh' /dev/null < keys > screen 2> /dev/null &
	session=$!
	jobs_begun="$jobs_begun $session"
	exec 9> keys
	expect "a terminal: it draws" await 20 grep -q -a 'WAITING.*TASK' screen
	# news of the terminal's size, without end
	shown=$(ps -o pid= --ppid "$(cat shell)" | tr -d ' ')
	for _ in $(seq 200); do
		kill -WINCH "$shown"
	done
	size=$(wc -c < screen)
	grown() { [ "$(wc -c < screen)" -gt "$size" ]; }
	expect "a terminal: it goes on after 200 changes of size" await 20 grown
	printf q >&9
	expect "a terminal: q ends it" await 20 [ -s status ]
	exec 9>&-
	wait $session
	expect "a terminal: status 0" [ "$(cat status)" = 0 ]
	expect "a terminal: on the alternate screen" grep -q -a '\[?1049h' screen
	expect "a terminal: and back" grep -q -a '\[?1049l' screen
	expect "a terminal: the same attributes" cmp before after
	expect "a terminal: nothing on standard error" [ ! -s errors ]
fi

# a task in state D: a write to a file system that is frozen
if command -v fsfreeze > /dev/null && command -v mkfs.ext4 > /dev/null; then
	truncate -s 16M image
	mkdir -p disk
	if mkfs.ext4 -q image && mount -o loop image disk 2> /dev/null; then
		"$FTWAIT" top --json -n 5 -i 500ms --comm 'stuck' > stuck.json 2> errors &
		top=$!
		cp "$(command -v dd)" stuck
		expect "stuck: it records" await 20 recorder_of $top
		one_interval() { [ -s stuck.json ]; }
		await 20 one_interval
		fsfreeze -f disk
		./stuck if=/dev/zero of=disk/file bs=4096 count=1 2> /dev/null &
		victim=$!
		wait $top
		expect "stuck: status 0" [ $? -eq 0 ]
		fsfreeze -u disk
		wait $victim
		umount disk
		open="select(.longest_open.task.tid == $victim and .longest_open.state == \"D\")"
		expect "stuck: seen" holds stuck.json "map($open) | length >= 2"
		expect "stuck: since one instant, in this recording" holds stuck.json \
			"map($open | .longest_open.since_ns) | unique | length == 1"
		expect "stuck: within two intervals of its begin" holds stuck.json \
			"map($open)[0] | .longest_open.since_ns >= .end_ns - 2 * (.end_ns - .begin_ns)"
		# shellcheck disable=SC2016 # of jq
		expect "stuck: waiting for all of the last interval" holds stuck.json \
			'.[-1] | (.end_ns - .begin_ns) as $d | .rows[] | select(.comm == "stuck") |
			.waiting_ns / $d | . > 0.98 and . < 1.02'
	fi
fi

# a flock that another task holds: the wait is explained when it has ended
if command -v flock > /dev/null; then
	cp "$(command -v flock)" holder
	cp "$(command -v flock)" waiter
	: > lock
	"$FTWAIT" top --json -n 4 -e +lock > lock.json 2> errors &
	top=$!
	expect "flock: it records" await 20 recorder_of $top
	sleep 0.3
	./holder lock sleep 1.5 &
	sleep 0.2
	./waiter lock true
	wait $top
	expect "flock: status 0" [ $? -eq 0 ]
	expect "flock: the wait and what it is behind" holds lock.json \
		'[.[].rows[] | select(.comm == "waiter" and .longest_ns > 1e9)] |
		length >= 1 and all(.behind.comm | IN("holder", "sleep"))'
fi
finish
