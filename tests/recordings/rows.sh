#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Whether rows for databases are what they are said to be, of every recording: rows.sh BUILD_DIRECTORY
# FOLDER... The rows of a report sum to its time, and have the members that ftwait-json(5) describes
# (rows.jq). Vectors and schedules take part: together with the recordings they have each state.
set -u

here=$(dirname "$0")
build=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/made" "$scratch/rows"

# few recordings have the recorder among their tasks
recorder_schedule() {
	cat <<- END
		cpus 1
		unit ms
		recorder 101
		tasks A=101 B=102
		  0/0 0 sched_switch 0:R > A
		 10/0 A sched_switch A:S > B
		 20/0 B sched_waking A
		 21/0 B sched_switch B:S > A
		 30/0 A sched_switch A:S > 0
	END
}

recorder_schedule | "$build/mktrace" -o "$scratch/made/recorder.dat"
for schedule in tests/golden/schedules/*.txt; do
	"$build/mktrace" -o "$scratch/made/$(basename "$schedule" .txt).dat" "$schedule" 2> /dev/null
done
for vector in tests/vectors/*.vec; do
	sed '/^---$/,$d' "$vector" | "$build/mktrace" > "$scratch/made/$(basename "$vector" .vec).dat" 2> /dev/null
done

report() { # NAME FILE OPTION...
	local name=$1
	shift
	"$build/ftwait" report -q --rows "$@" > "$scratch/rows/$name" 2> /dev/null
	# a recording in which nothing happened has no rows
	[ -s "$scratch/rows/$name" ] || rm "$scratch/rows/$name"
}

asked=0
for folder in "$@" "$scratch/made"; do
	for file in "$folder"/*.dat; do
		name=$(basename "$file" .dat)
		report "$name" "$file"
		report "$name --all" "$file" --all
		asked=$((asked + 2))
		[ "$folder" = "$scratch/made" ] && continue
		length=$("$build/ftwait" report -q "$file" --irq --json 2> /dev/null | jq '.trace.end_ns - .trace.begin_ns')
		report "$name --all, a window" "$file" --all --from $((length / 3))ns --to $((length / 2))ns
		asked=$((asked + 1))
	done
done
jq -n -r -f "$here/rows.jq" "$scratch/rows"/* > "$scratch/told" 2> "$scratch/errors"
grep '^FAIL' "$scratch/told"
failed=$(grep -c '^FAIL' "$scratch/told")
reports=$(sed -n 's/^reports //p' "$scratch/told")
# most recordings have rows
if [ "${reports:-0}" -lt $((asked * 9 / 10)) ]; then
	echo "FAIL rows: ${reports:-0} of $asked reports have any"
	cat "$scratch/errors"
	failed=$((failed + 1))
fi
missing=$(sed -n 's/^missing //p' "$scratch/told")
if [ -n "$missing" ]; then
	echo "FAIL rows: no recording has the state $missing"
	failed=$((failed + 1))
fi
echo "$((${reports:-0} > failed ? ${reports:-0} - failed : 0)) passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
