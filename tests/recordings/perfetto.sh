#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perfetto.sh FOLDER...: exports each trace.dat to Perfetto, and compares the report of the export with that
# of the trace.dat: all finished waits by begin, end and state, and how long each task was in each state.
# What the format loses:
#   - events that are not of the scheduler: the export begins and ends with the scheduler's first and last
#     event, so times are compared between these
#   - an unknown state, which is S in exports
#   - the CPU of a wake-up that has ended: whether a CPU went idle although a task was able to run there; the
#     time of such a task is unknown in the trace.dat
#   - events that show which task has a CPU behind lost or contradicting ones: until its next switch that
#     is unknown. Only behind lost events waits may differ, too.
# Differences by the last two are counted; any other one is a failure.
set -u

. "$(dirname "$0")/each.sh"

report() { # FILE OPTION...
	"$FTWAIT" report -q "$@" --all --waits --summary --top 0 --json 2> "$scratch/errors" > "$scratch/json"
}

# Prints a row for each finished wait.
waits() {
	jq -r '.waits[] | select((.open | not) and .end_ns > .begin_ns) |
		["wait", .task.tid, .begin_ns, .end_ns, (.state | if . == "?" then "S" else . end)] | @tsv' \
		"$scratch/json" | sort
}

# Prints how long each task was there, in an unknown state, and in each other one.
times() {
	jq -r '.summary.tasks | group_by(.task.tid)[] | [.[0].task.tid] + (["time_ns", "unknown_ns", "running_ns",
		"runnable_ns", "stopped_ns", "waiting_total_ns"] as $keys | [$keys[] as $key | map(.[$key]) | add]) |
		@tsv' "$scratch/json" | sort
}

# Prints options for the period from the first to the last event of the export: its begin and end, of the file's.
period() { # BEGIN BEGIN END
	awk "BEGIN { printf \"--from %.9f --to %.9f\\n\", ($2 - $1) / 1e9, ($3 - $1) / 1e9 }"
}

begin_and_end() {
	jq -r '.trace | "\(.begin_ns) \(.end_ns)"' "$scratch/json"
}

# Prints how many tasks have the same times in both, and how many differ by what is unknown, if that MAY be.
# The others are written to wrong_times.
compare_times() { # MAY
	awk -F '\t' -v may="$1" -v bad="$scratch/wrong_times" '
		NR == FNR { row[$1] = $0; time[$1] = $2; unknown[$1] = $3; next }
		row[$1] == $0 { same++; delete row[$1]; next }
		may && time[$1] == $2 && unknown[$1] != $3 { differ++; delete row[$1]; next }
		{ print "times " $0 > bad }
		END {
			for (tid in row)
				print "times " row[tid] > bad
			print same + 0, differ + 0
		}' "$scratch/times_of_file" "$scratch/times_of_export"
}

# Whether events were lost; whether anything in the trace.dat is not certain.
lost_some() {
	jq -e '.health | (.events_lost // 1) != 0 or .input_damaged' "$scratch/json" > /dev/null
}

is_uncertain() {
	lost_some || jq -e '.health | .inconsistencies > 0 or .idle_with_runnable > 0' "$scratch/json" > /dev/null
}

round_trip() { # FILE
	local file=$1 lost='' uncertain='' begin end exact differ from
	"$FTWAIT" report -q "$file" --format perfetto > "$scratch/pftrace" 2> /dev/null || return 0
	report "$file"
	waits > "$scratch/of_file"
	[ -s "$scratch/of_file" ] || return 0
	lost_some && lost=yes
	is_uncertain && uncertain=yes
	read -r from _ <<< "$(begin_and_end)"
	report "$scratch/pftrace"
	read -r begin end <<< "$(begin_and_end)"
	waits > "$scratch/of_export"
	times > "$scratch/times_of_export"
	# shellcheck disable=SC2046 # options
	report "$file" $(period "$from" "$begin" "$end")
	times > "$scratch/times_of_file"
	: > "$scratch/wrong_times"
	read -r exact differ <<< "$(compare_times "$uncertain")"
	comm -3 "$scratch/of_file" "$scratch/of_export" | sed 's/^\t//' > "$scratch/wrong"
	same=$((same + $(comm -12 "$scratch/of_file" "$scratch/of_export" | wc -l)))
	tasks=$((tasks + exact)) unknown=$((unknown + differ))
	if [ "$lost" ]; then
		behind=$((behind + $(wc -l < "$scratch/wrong")))
		: > "$scratch/wrong"
	fi
	cat "$scratch/wrong_times" >> "$scratch/wrong"
	[ -s "$scratch/wrong" ] || return 0
	echo "$file: waits or times of tasks differ in its export:"
	head -n 5 "$scratch/wrong"
	return 1
}

same=0 tasks=0 unknown=0 behind=0
check_each round_trip "$@" > "$scratch/log"
status=$?
echo "$same waits and the times of $tasks tasks are the same in exports; $behind waits differ behind lost" \
	"events, and the times of $unknown tasks by what is unknown"
cat "$scratch/log"
exit $status
