#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What browse keeps of a recording answers as the recording does: run.sh BUILD [--quick]. Each view, of
# the whole and of a window, as JSON with evidence where it has any: the bytes of `ftwait report`, and of
# `ftwait report --debug-kept`. --quick: of fixtures/ alone, and each of their views once.
set -u

build=$(cd "$1" && pwd) || exit 1
ftwait=$build/ftwait
quick=${2:-}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0 anew=0

# compare FILE OPTION...
compare() {
	timeout 300 "$ftwait" report -q "$@" > "$scratch/read" 2> "$scratch/said"
	status=$?
	timeout 300 "$ftwait" report -q "$@" --debug-kept > "$scratch/kept" 2> "$scratch/kept.said"
	kept=$?
	if [ $kept -eq 125 ]; then # browse would read it anew
		anew=$((anew + 1))
		return
	fi
	if [ $status -ne $kept ] || ! cmp -s "$scratch/read" "$scratch/kept" ||
	   ! cmp -s "$scratch/said" "$scratch/kept.said"; then
		echo "FAIL kept: report $*: status $status and $kept"
		diff "$scratch/read" "$scratch/kept" | head -n 5 | cut -c1-200
		is_right=0
	fi
}

recordings=$(echo fixtures/*.dat fixtures/three/*.dat.zst)
if [ -z "$quick" ]; then
	for folder in $(echo "${FTWAIT_TRACES:-}" | tr ':' ' '); do
		recordings="$recordings $(echo "$folder"/*.dat)"
	done
fi
views='summary chains tail off-cpu on-cpu critical-path timeline graph sched disk net lock blame memory
	syscall irq wakeups timers cycles processes costs waits advise'
turn=0
for file in $recordings; do
	[ -s "$file" ] || continue
	is_right=1
	for view in $views; do
		turn=$((turn + 1))
		if [ -z "$quick" ] || [ $((turn % 2)) -eq 0 ]; then
			compare "$file" "--$view" --json
		fi
		if [ -z "$quick" ] || [ $((turn % 2)) -eq 1 ]; then
			compare "$file" "--$view" --json --from 0.02 --to 0.09
		fi
	done
	compare "$file" --waits --chains --json --evidence
	compare "$file" --summary --sort running
	if [ $is_right -eq 1 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
done
echo "of which $anew reports read the recording anew"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
