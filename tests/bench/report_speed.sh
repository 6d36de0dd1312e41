#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# report_speed.sh FTWAIT [TRACE [ROUNDS]]: what reading costs. Times each view of report on one
# recording against `trace-cmd report > /dev/null` of the same file in the same run; without TRACE
# a recording of about 10 million events is made first. Prints ns an event (user + system time,
# best of ROUNDS), the ratio to trace-cmd, and peak memory. Nothing is asserted.
set -eu

ftwait=$1
trace=${2:-}
rounds=${3:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if [ -z "$trace" ]; then
	trace=$scratch/pipe.dat
	# two tasks that do nothing but wake each other: about 4 events a round trip
	"$ftwait" record -q -e sched,irq -o "$trace" -- \
		perf bench sched pipe -l "${BENCH_LOOPS:-2500000}" >"$scratch/log" 2>&1 || {
		echo "SKIP cannot record with perf bench here: $(tail -n 1 "$scratch/log")"
		exit 77
	}
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

row() {
	echo "$1 $2 $3" | awk -v events="$events" -v base="$base" '{
		printf "%-28s %8.2f s %8.1f ns/event %8.1fx faster %9d KiB\n", name, $2,
			$2 * 1e9 / events, base / $2, $3 }' name="$1"
}

base=1
if command -v trace-cmd >/dev/null; then
	rounds_all=$rounds
	rounds=1
	result=$(measure trace-cmd report "$trace")
	rounds=$rounds_all
	base=${result% *}
	row trace-cmd-report "${result% *}" "${result#* }"
else
	echo "trace-cmd is not installed: no ratios"
fi
for view in --summary --chains --critical-path "--waits --format csv"; do
	# shellcheck disable=SC2086 # a view and its format are two words
	result=$(measure "$ftwait" report $view "$trace")
	row "$(echo "$view" | tr -d ' ')" "${result% *}" "${result#* }"
done
