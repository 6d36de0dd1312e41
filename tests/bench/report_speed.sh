#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# report_speed.sh BUILD [TRACE [ROUNDS]]: what reading costs. Times each view of report on one
# recording, with one thread and with two, against others in the same run: `trace-cmd report` and a
# loop over libtracecmd (BUILD/tracecmd_loop) on the same file, perf sched timehist on what perf
# recorded of the same load. Without TRACE a recording of about 10 million events is made first.
#
# Each round runs all of them once, in turn, so that a machine that is busy for a while disturbs all
# alike; trace-cmd report, which takes longest, runs in the first two. Prints the least time of
# ROUNDS, elapsed and of the CPUs (user + system); ns an event, how many times as fast as trace-cmd
# report, and how many times the summary's, by the time elapsed; and peak memory: of that recording
# and of one a tenth as long (of TRACE: the file $TENTH), so that what grows with the length is seen.
# BENCH_EVENTS are recorded. Nothing is asserted.
set -eu

build=$1
ftwait=$build/ftwait
trace=${2:-}
rounds=${3:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tab=$(printf '\t')

# two tasks that do nothing but wake each other: about 4 events a round trip
pipe_record() { # FILE LOOPS
	"$ftwait" record -q -e "${BENCH_EVENTS:-sched,irq}" -o "$1" -- \
		perf bench sched pipe -l "$2" >"$scratch/log" 2>&1 || {
		echo "SKIP cannot record with perf bench here: $(tail -n 1 "$scratch/log")"
		exit 77
	}
}

tenth=${TENTH:-}
if [ -z "$trace" ]; then
	trace=$scratch/pipe.dat
	tenth=$scratch/tenth.dat
	pipe_record "$trace" "${BENCH_LOOPS:-2500000}"
	pipe_record "$tenth" $((${BENCH_LOOPS:-2500000} / 10))
fi
events=$("$ftwait" report --json "$trace" | tr ',{}' '\n' |
	sed -n 's/^ *"events": *\([0-9]*\).*/\1/p' | head -n 1)
echo "$events events, $(wc -c <"$trace") bytes, best of $rounds"

# what perf's own tools read, a tenth as long: they take longer
perf_data=$scratch/perf.data
perf_events=$(perf sched record -o "$perf_data" \
	perf bench sched pipe -l $((${BENCH_LOOPS:-2500000} / 10)) >"$scratch/log" 2>&1 &&
	perf report --stats -i "$perf_data" 2>/dev/null |
	awk '$1 == "SAMPLE" { print $3; exit }') || perf_events=
[ -n "$perf_events" ] || echo "perf sched record does not work here: $(tail -n 1 "$scratch/log")"

# name, events, command, each a line
{
	if command -v trace-cmd >/dev/null; then
		printf '%s\t%s\t%s\n' "trace-cmd report" "$events" "trace-cmd report $trace"
	fi
	if [ -x "$build/tracecmd_loop" ]; then
		printf '%s\t%s\t%s\n' "libtracecmd loop" "$events" "$build/tracecmd_loop $trace"
	fi
	if [ -n "$perf_events" ]; then
		printf '%s\t%s\t%s\n' "perf timehist" "$perf_events" \
			"perf sched timehist -i $perf_data"
		printf '%s\t%s\t%s\n' "perf timehist -s" "$perf_events" \
			"perf sched timehist -s -i $perf_data"
	fi
	"$(dirname "$0")/../tools/views.sh" "$ftwait" --options |
		sed 's/^--waits$/--waits --format csv\n--waits --json/' | while read -r view; do
		for threads in 1 2; do
			printf '%s\t%s\t%s\n' "$view, $threads" "$events" \
				"$ftwait report --threads $threads $view $trace"
		done
	done
} | sed 's/--format csv, /csv, /; s/--json, /json, /' >"$scratch/rows"

for round in $(seq "$rounds"); do
	while IFS=$tab read -r name count command; do
		[ "$name" != "trace-cmd report" ] || [ "$round" -le 2 ] || continue
		# shellcheck disable=SC2086 # a command of words
		/usr/bin/time -f '%e %U %S %M' -o "$scratch/time" $command >/dev/null 2>&1 </dev/null || true
		printf '%s\t%s\t%s\n' "$name" "$count" "$(tail -n 1 "$scratch/time")"
	done <"$scratch/rows"
done >"$scratch/times"

# KiB of the recording a tenth as long, by name
while [ -s "$tenth" ] && IFS=$tab read -r name _ command; do
	case $command in *"$trace")
		# shellcheck disable=SC2086
		/usr/bin/time -f '%M' -o "$scratch/time" ${command%"$trace"} "$tenth" >/dev/null 2>&1 \
			</dev/null || true
		printf '%s\t%s\n' "$name" "$(tail -n 1 "$scratch/time")"
		;;
	esac
done <"$scratch/rows" >"$scratch/tenths"

printf '%-20s %8s %8s %9s %9s %9s %9s %9s\n' WHAT SECONDS CPU NS/EVENT TRACE-CMD SUMMARY KIB KIB/TENTH
awk -F '\t' '
	FILENAME ~ /tenths$/ { tenth[$1] = $2; next }
	{
		split($3, part, " ")
		if (!($1 in elapsed))
			order[++rows] = $1
		if (!($1 in elapsed) || part[1] < elapsed[$1])
			elapsed[$1] = part[1]
		if (!($1 in cpu) || part[2] + part[3] < cpu[$1])
			cpu[$1] = part[2] + part[3]
		if (part[4] > most[$1])
			most[$1] = part[4]
		events[$1] = $2
	}
	function ns(name) { return elapsed[name] * 1e9 / events[name] }
	function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "-" }
	END {
		base = "trace-cmd report" in elapsed ? ns("trace-cmd report") : 0
		for (i = 1; i <= rows; i++) {
			name = order[i]
			printf "%-20s %8.2f %8.2f %9.1f %9s %9s %9d %9s\n", name, elapsed[name],
				cpu[name], ns(name), ratio(base, ns(name)),
				ratio(ns(name), ns("--summary, 2")), most[name],
				name in tenth ? tenth[name] : "-"
		}
	}' "$scratch/tenths" "$scratch/times"
