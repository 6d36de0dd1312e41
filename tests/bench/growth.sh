#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# growth.sh BUILD: what of a report grows faster than its recording. Times each view (user + system
# seconds, peak MiB) on recordings of two sizes or more that BUILD/growth_trace makes up, and tells by
# how much the largest takes more than the smallest (TIMES), beside by how much it is larger. What is
# proportional has that same number, or less; anything quadratic is seen at once.
# BENCH_GROWTH=small is a quick run; BENCH_VIEWS="--waits --sched" are these views alone; what takes
# longer than BENCH_SECONDS (120) is stopped, and is ">120". Nothing is asserted.
set -eu

build=$1
ftwait=$build/ftwait
limit=${BENCH_SECONDS:-120}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# the page is of several views, and must cost no more than they do
views=${BENCH_VIEWS:-$("$(dirname "$0")/../tools/views.sh" "$ftwait" --options) --html}

# seconds and MiB of a view of a recording
measure() { # VIEW FILE
	timeout -k 5 "$limit" /usr/bin/time -f '%U %S %M' -o "$scratch/time" \
		"$ftwait" report "$1" --all "$2" >/dev/null 2>&1 || {
		[ $? -lt 124 ] || { echo "$limit - stopped" && return; }
	}
	tail -n 1 "$scratch/time" | awk '{ printf "%.2f %.0f\n", $1 + $2, $3 / 1024 }'
}

# A table of one kind of recording: a line a view, two columns a size.
table() { # TITLE SIZE:WORDS-FOR-GROWTH_TRACE...
	title=$1
	shift
	echo
	echo "$title"
	head=$(printf '%-17s' VIEW)
	count=0
	for words; do
		count=$((count + 1))
		# shellcheck disable=SC2086 # several words for the program
		"$build/growth_trace" ${words#*:} >"$scratch/$count.dat"
		head="$head$(printf '%9s %6s' "${words%%:*}" MIB)"
	done
	# by how much it is larger: in events
	for at in 1 "$count"; do
		"$ftwait" report --json "$scratch/$at.dat" 2>/dev/null | tr ',{}' '\n' |
			sed -n 's/^ *"events": *\([0-9]*\).*/\1/p' | head -n 1
	done | awk 'NR == 1 { few = $1 } END {
		printf "%d and %d events: TIMES %.1f is proportional\n", few, $1, $1 / few }'
	echo "$head$(printf '%8s %6s' TIMES TIMES)"
	for view in $views; do
		for at in $(seq "$count"); do
			measure "$view" "$scratch/$at.dat"
		done | awk -v view="$view" '
			function times(a, b) { return a > 0 && b > 0 ? sprintf("%.1f", b / a) : "-" }
			NR == 1 { first = $1; least = $2 }
			{ row = row sprintf("%9s %6s", ($3 ? ">" : "") $1, $2); last = $1; most = $2 }
			END { printf "%-17s%s%8s %6s\n", view, row, times(first, last), times(least, most) }'
	done
	rm -f "$scratch"/*.dat
}

if [ "${BENCH_GROWTH:-}" = small ]; then
	table "waiters on one task that is preempted 2,000 times" \
		"200:waiters 200 2000" "1,000:waiters 1000 2000"
	table "tasks on 64 CPUs" "500:tasks 64 500 100000" "5,000:tasks 64 5000 100000"
	table "forks" "1,000:forks 1000" "10,000:forks 10000"
	table "events of 100 tasks on 8 CPUs" \
		"50,000:tasks 8 100 50000" "250,000:tasks 8 100 250000" "1 M:tasks 8 100 1000000"
	table "events of 1,000 tasks on 2 CPUs, whose chains are deep" \
		"50,000:tasks 2 1000 50000" "250,000:tasks 2 1000 250000" "1 M:tasks 2 1000 1000000"
	table "events of 100 tasks that take turns on 2 CPUs" \
		"50,000:queues 2 100 50000" "250,000:queues 2 100 250000"
else
	table "waiters on one task that is preempted 20,000 times" \
		"2,000:waiters 2000 20000" "10,000:waiters 10000 20000"
	table "tasks on 64 CPUs" "500:tasks 64 500 1000000" "5,000:tasks 64 5000 1000000"
	table "forks" "10,000:forks 10000" "100,000:forks 100000"
	table "events of 100 tasks on 8 CPUs" \
		"1 M:tasks 8 100 1000000" "5 M:tasks 8 100 5000000" "20 M:tasks 8 100 20000000"
	table "events of 10,000 tasks on 8 CPUs, whose chains are deep" \
		"1 M:tasks 8 10000 1000000" "5 M:tasks 8 10000 5000000" "20 M:tasks 8 10000 20000000"
	table "events of 1,000 tasks that take turns on 2 CPUs" \
		"1 M:queues 2 1000 1000000" "5 M:queues 2 1000 5000000"
fi
