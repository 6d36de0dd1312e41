#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every lint, one line each; the last line counts. What a lint says is shown when it fails.
set -u

passed=0 failed=0 skipped=0
for script in tests/lint/*.sh; do
	name=$(basename "$script" .sh)
	[ "$name" = run ] && continue
	said=$(sh "$script" 2>&1)
	case $? in
	0)
		echo "ok   lint $name"
		passed=$((passed + 1))
		;;
	77)
		echo "SKIP lint $name: $said"
		skipped=$((skipped + 1))
		;;
	*)
		echo "FAIL lint $name"
		echo "$said" | sed 's/^/     /'
		failed=$((failed + 1))
		;;
	esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
