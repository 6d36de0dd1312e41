#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sum_counts.sh SUITE PARTS < LOGS: shows the logs of so many parts of a suite, each of which ends with a line
# "N passed, N failed, N skipped", and ends with such a line for all of them. A part without one has failed.
exec awk -v suite="$1" -v wanted="$2" '
	/^([a-z-]+: )?[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
		sub(/^[a-z-]+: /, "")
		passed += $1; failed += $3; skipped += $5; parts++
		next
	}
	{ print }
	END {
		if (parts != wanted) {
			print "FAIL " suite ": a part did not end"
			failed++
		}
		print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"
		exit failed > 0
	}'
