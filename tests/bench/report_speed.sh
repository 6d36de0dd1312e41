#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# report_speed.sh FTWAIT [TRACE [ROUNDS]]: what reading costs. Times each view of report on one
# recording against `trace-cmd report > /dev/null` of the same file in the same run; without TRACE
# a recording of about 10 million events is made first. Prints ns an event (user + system time,
# best of ROUNDS), the ratios to trace-cmd and to the summary, and peak memory: of that recording
# and of one a tenth as long (of TRACE: the file $TENTH), so that what grows with the length is seen.
# BENCH_EVENTS are recorded. Nothing is asserted.
set -eu

ftwait=$1
trace=${2:-}
rounds=${3:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

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

# least CPU seconds and most KiB of the runs of a command
measure() {
	for _ in $(seq "$rounds"); do
		/usr/bin/time -f '%U %S %M' -o "$scratch/time" "$@" >/dev/null 2>&1 || true
		tail -n 1 "$scratch/time"
	done | awk 'NR == 1 || $1 + $2 < best { best = $1 + $2 } $3 > most { most = $3 }
		END { print best, most }'
}

# row NAME SECONDS KIB [KIB-OF-A-TENTH]
row() {
	echo "$2 $3 ${4:--}" | awk -v events="$events" -v base="$base" -v summary="$summary" -v name="$1" '
		function ratio(a, b) { return b > 0 ? sprintf("%.2f", a / b) : "-" }
		{ printf "%-20s %8.2f %9.1f %9s %9s %9d %9s\n", name, $1, $1 * 1e9 / events,
			ratio(base, $1), ratio($1, summary), $2, $3 }'
}

base=0 summary=0
printf '%-20s %8s %9s %9s %9s %9s %9s\n' VIEW SECONDS NS/EVENT TRACE-CMD SUMMARY KIB "KIB/TENTH"
if command -v trace-cmd >/dev/null; then
	rounds_all=$rounds
	rounds=1
	result=$(measure trace-cmd report "$trace")
	rounds=$rounds_all
	base=${result% *}
	row trace-cmd "${result% *}" "${result#* }"
else
	echo "trace-cmd is not installed: no ratios to it"
fi
for view in --summary --chains --critical-path "--waits --format csv" --sched --disk --net --lock \
	--memory --syscall --irq --processes; do
	# shellcheck disable=SC2086 # a view and its format are two words
	result=$(measure "$ftwait" report $view "$trace")
	short=
	if [ -s "$tenth" ]; then
		rounds_all=$rounds
		rounds=1
		# shellcheck disable=SC2086
		short=$(measure "$ftwait" report $view "$tenth")
		rounds=$rounds_all
	fi
	[ "$summary" != 0 ] || summary=${result% *}
	row "$(echo "$view" | tr -d ' ')" "${result% *}" "${result#* }" "${short#* }"
done
