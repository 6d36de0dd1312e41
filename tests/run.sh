#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY SUITE...: runs the suites that `make check` names, shows what failed or was
# skipped, adds up, and ends with "N passed, N failed, N skipped". Suites that only compute run side
# by side, one for each CPU; those that record on this kernel, drive a terminal or a browser run
# alone, after them: what they check depends on time.
set -u

# What a suite runs. Every program ends with a line of counts, its own or that of Check.
suite_command() {
	case $1 in
	unit) case $build in
		*address*) echo "$build/unit --apart" ;;
		*) echo "$build/unit" ;;
		esac ;;
	vectors) echo "$build/vectors tests/vectors/*.vec" ;;
	golden) echo "tests/golden/run.sh $build" ;;
	documents) echo "tests/documents/run.sh $build" ;;
	completion) echo "tests/completion/run.sh $build" ;;
	pty) echo "tests/pty/run.sh $build" ;;
	html) echo "tests/html/run.sh" ;;
	browser) echo "tests/browser/run.sh $build" ;;
	perfetto) echo "tests/perfetto/run.sh $build" ;;
	fleet) echo "tests/fleet/run.sh $build" ;;
	property) echo "$build/property" ;;
	fuzz-replay) echo "tests/fuzz/replay.sh $build" ;;
	hostile) echo "tests/hostile/run.sh $build" ;;
	mutants) echo "tests/mutants/run.sh $build" ;;
	faults) echo "tests/faults/run.sh $build" ;;
	record-faults) echo "tests/faults/record.sh $build" ;;
	recordings) echo "tests/recordings/run.sh $build" ;;
	split) echo "tests/split/run.sh $build" ;;
	record) echo "tests/live/record/run.sh $build" ;;
	machines) echo "tests/live/record/run.sh $build tests/live/machines" ;;
	live) echo "tests/live/run.sh $build" ;;
	*) echo false ;;
	esac
}

runs_alone() {
	case $1 in
	documents | completion | pty | browser | record-faults | record | machines | live) return 0 ;;
	*) return 1 ;;
	esac
}

# Leaves SUITE.log, SUITE.status and SUITE.seconds in the folder.
run_suite() { # FOLDER SUITE
	began=$(date +%s)
	sh -c "$(suite_command "$2")" > "$1/$2.log" 2>&1 < /dev/null
	echo $? > "$1/$2.status"
	echo $(($(date +%s) - began)) > "$1/$2.seconds"
}

build=$1
shift
FTWAIT=$build/ftwait
export FTWAIT
if [ "${1:-}" = --one ]; then
	run_suite "$2" "$3"
	exit
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-check.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0

# "NN%: Checks: N, Failures: N, Errors: N" or "N passed, N failed, N skipped" -> "P F S"
counts() { # LOG
	sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3 c/p' \
		-e 's/^[a-z: ]*\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$1" |
		tail -n 1 | awk '$4 == "c" { print $1 - $2 - $3, $2 + $3, 0; next } { print $1, $2, $3 }'
}

show_suite() { # SUITE
	suite=$1 log=$work/$1.log
	status=$(cat "$work/$suite.status" 2> /dev/null || echo 1)
	# shellcheck disable=SC2046 # three numbers
	set -- $(counts "$log")
	if [ $# -ne 3 ]; then
		echo "FAIL $suite: status $status and no counts"
		tail -n 40 "$log"
		failed=$((failed + 1))
		return
	fi
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
	if [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
		echo "FAIL $suite: status $status"
		failed=$((failed + 1))
	fi
	if [ "$status" -ne 0 ] || [ "$2" -ne 0 ]; then
		cat "$log"
	else
		grep -E '^(SKIP|seed)' "$log"
	fi
	echo "$suite: $1 passed, $2 failed, $3 skipped ($(cat "$work/$suite.seconds") s)"
}

for suite in "$@"; do
	runs_alone "$suite" || echo "$suite"
done | xargs -r -P "$(nproc)" -n 1 sh "$0" "$build" --one "$work"
for suite in "$@"; do
	runs_alone "$suite" && run_suite "$work" "$suite"
	show_suite "$suite"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
