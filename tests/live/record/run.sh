#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs every case of this folder against BUILD_DIRECTORY/ftwait; the last line counts.
set -u

here=$(dirname "$0")
FTWAIT=$(realpath "$1")/ftwait
export FTWAIT
passed=0 failed=0 skipped=0

for case in "$here"/*_case.sh; do
	name=$(basename "$case" _case.sh)
	output=$(sh "$case" 2>&1)
	case $? in
	0)
		echo "ok   record $name"
		passed=$((passed + 1))
		;;
	77)
		echo "SKIP record $name: $output"
		skipped=$((skipped + 1))
		;;
	*)
		echo "FAIL record $name"
		echo "$output"
		failed=$((failed + 1))
		;;
	esac
done
echo "record: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
