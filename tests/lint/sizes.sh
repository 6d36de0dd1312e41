#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Files above 600 lines and functions above 80: where to look again. sizes.sh [-v]: with all files.
set -u

bad=0
for file in src/*/*.[ch] include/ftwait/*.h tests/*/*.[ch] tests/*/*/*.[ch]; do
	[ -f "$file" ] || continue
	lines=$(wc -l < "$file")
	if [ "$lines" -gt 600 ]; then
		echo "$file: $lines lines"
		bad=1
	fi
	# a function's brace stands alone at the beginning of a line, and so does its end
	awk -v file="$file" '
		/^\{/ { start = NR; name = previous }
		/^\}/ && start { if (NR - start > 81) {
			printf "%s:%d: %d lines: %s\n", file, start, NR - start - 1, name; bad = 1 }
			start = 0 }
		!/^[[:space:]]/ { previous = $0 }
		END { exit bad }' "$file" || bad=1
done
exit $bad
