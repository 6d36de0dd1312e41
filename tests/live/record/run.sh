#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY [FOLDER [CASE...]]: runs every case of this folder, or of that one, or these of it,
# against BUILD_DIRECTORY/ftwait; the last line counts. A case mostly waits, so several run side by side, one more
# than there are CPUs; beside them run those that have a line "# lasts: WHY" in their head and do nearly nothing for
# long. Those that disturb others, or that others disturb, run one by one after them: they have a line
# "# alone: WHY".
set -u

. "$(dirname "$0")/../side_by_side.sh"
FTWAIT=$(realpath "$1")/ftwait
here=${2:-$(dirname "$0")}
export FTWAIT
suite=$(basename "$here")

# a case says so, or what all cases of its folder source
is() { # alone|lasts CASE
	grep -qs "^# $1: " "$here/$2_case.sh" "$here/network.sh"
}

# begin COUNT: the cases of standard input, so many at a time
begin() {
	# shellcheck disable=SC2016 # the inner shell expands these
	side_by_side "$1" "$logs" sh -c 'exec sh "$0/$1_case.sh"' "$here"
}

shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || for case in "$here"/*_case.sh; do
	set -- "$@" "$(basename "$case" _case.sh)"
done
logs=$(mktemp -d "${TMPDIR:-/tmp}/ftwait-cases.XXXXXX") || exit 1
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0

show_case() { # CASE
	took="$(cat "$logs/$1.seconds") s"
	case $(cat "$logs/$1.status") in
	0)
		echo "ok   $suite $1 ($took)"
		passed=$((passed + 1))
		;;
	77)
		echo "SKIP $suite $1: $(cat "$logs/$1.log")"
		skipped=$((skipped + 1))
		;;
	*)
		echo "FAIL $suite $1 ($took)"
		cat "$logs/$1.log"
		failed=$((failed + 1))
		;;
	esac
}

for case; do ! is lasts "$case" || echo "$case"; done | begin "$(nproc)" &
lasting=$!
for case; do is lasts "$case" || is alone "$case" || echo "$case"; done | begin $(($(nproc) + 1))
wait $lasting
for case; do ! is alone "$case" || echo "$case"; done | begin 1
for case; do show_case "$case"; done
echo "$suite: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
