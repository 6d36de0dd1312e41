#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh BUILD_DIRECTORY [FOLDER]: runs every case of this folder, or of that one, against
# BUILD_DIRECTORY/ftwait; the last line counts.
set -u

here=${2:-$(dirname "$0")}
suite=$(basename "$here")
FTWAIT=$(realpath "$1")/ftwait
export FTWAIT
passed=0 failed=0 skipped=0

for case in "$here"/*_case.sh; do
	name=$(basename "$case" _case.sh)
	output=$(sh "$case" 2>&1)
	case $? in
	0)
		echo "ok   $suite $name"
		passed=$((passed + 1))
		;;
	77)
		echo "SKIP $suite $name: $output"
		skipped=$((skipped + 1))
		;;
	*)
		echo "FAIL $suite $name"
		echo "$output"
		failed=$((failed + 1))
		;;
	esac
done
echo "$suite: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
