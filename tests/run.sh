#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY SUITE...: runs the suites that `make check` names, one line each, shows
# what failed or was skipped, adds up, and ends with "N passed, N failed, N skipped".
set -u

build=$1
shift
log=$(mktemp "${TMPDIR:-/tmp}/ftwait-check.XXXXXX") || exit 1
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0
FTWAIT=$build/ftwait
export FTWAIT

# What a suite runs. Every program ends with a line of counts, its own or that of Check.
suite_command() {
	case $1 in
	unit) echo "$build/unit" ;;
	vectors) echo "$build/vectors tests/vectors/*.vec" ;;
	golden) echo "tests/golden/run.sh $build" ;;
	documents) echo "tests/documents/run.sh $build" ;;
	completion) echo "tests/completion/run.sh $build" ;;
	html) echo "tests/html/run.sh" ;;
	browser) echo "tests/browser/run.sh $build" ;;
	perfetto) echo "tests/perfetto/run.sh $build" ;;
	property) echo "$build/property" ;;
	fuzz-replay) echo "tests/fuzz/replay.sh $build" ;;
	hostile) echo "tests/hostile/run.sh $build" ;;
	mutants) echo "tests/mutants/run.sh $build" ;;
	faults) echo "tests/faults/run.sh $build" ;;
	record-faults) echo "tests/faults/record.sh $build" ;;
	recordings) echo "tests/recordings/run.sh $build" ;;
	record) echo "tests/live/record/run.sh $build" ;;
	live) echo "tests/live/run.sh $build" ;;
	*) echo false ;;
	esac
}

# "NN%: Checks: N, Failures: N, Errors: N" or "N passed, N failed, N skipped" -> "P F S"
counts() {
	sed -n -e 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3 c/p' \
		-e 's/^[a-z: ]*\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$log" |
		tail -n 1 | awk '$4 == "c" { print $1 - $2 - $3, $2 + $3, 0; next } { print $1, $2, $3 }'
}

for suite in "$@"; do
	began=$(date +%s)
	sh -c "$(suite_command "$suite")" > "$log" 2>&1 < /dev/null
	status=$?
	took=$(($(date +%s) - began))
	# shellcheck disable=SC2046 # three numbers
	set -- $(counts)
	if [ $# -ne 3 ]; then
		echo "FAIL $suite: status $status and no counts"
		tail -n 40 "$log"
		failed=$((failed + 1))
		continue
	fi
	passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
	if [ $status -ne 0 ] && [ "$2" -eq 0 ]; then
		echo "FAIL $suite: status $status"
		failed=$((failed + 1))
	fi
	if [ $status -ne 0 ] || [ "$2" -ne 0 ]; then
		cat "$log"
	else
		grep -E '^(SKIP|seed)' "$log"
	fi
	echo "$suite: $1 passed, $2 failed, $3 skipped ($took s)"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
