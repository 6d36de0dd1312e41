#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Mechanical style that clang-format is not needed for: no trailing blanks, lines of at most 100
# columns (a tab is 8; 110 in makefiles), a licence line first, a last line that ends. With -c also what
# clang-format would change, as a report. All files are read in one go: a process per file takes a minute.
set -u

bad=0
sources=$(find src include tests -name '*.[ch]' | sort)
# shellcheck disable=SC2086 # a list of files
awk '
	function wrong(what) {
		print FILENAME ":" FNR ": " what
		bad = 1
	}
	# columns of a line: a tab goes on to the next multiple of 8
	function columns(text,   count, part, parts) {
		parts = split(text, part, "\t")
		count = length(part[1])
		for (i = 2; i <= parts; i++)
			count = count - count % 8 + 8 + length(part[i])
		return count
	}
	FNR == 1 && !/SPDX-License-Identifier: GPL-2.0-or-later/ { wrong("no licence in its first line") }
	/[[:space:]]$/ { wrong("blanks at the end") }
	# a long string of expected output stays whole
	length($0) > 60 && columns($0) > 100 && !(FILENAME ~ /^tests/ && /"/) { wrong(columns($0) " columns") }
	END { exit bad }' $sources || bad=1
# shellcheck disable=SC2086
if tail -q -c 1 $sources | tr -d '\n' | grep -q .; then
	for file in $sources; do
		[ -n "$(tail -c 1 "$file")" ] && echo "$file: the last line does not end"
	done
	bad=1
fi
awk '
	{ line = $0; gsub(/\t/, "        ", line) }
	length(line) > 110 { print FILENAME ":" FNR ": " length(line) " columns"; bad = 1 }
	END { exit bad }' Makefile mk/*.mk tests/tests.mk || bad=1
for file in Makefile mk/*.mk tests/*.mk tests/*.sh tests/*/*.sh tests/*/*/*.sh .ci/run contrib/bootstrap; do
	[ -f "$file" ] || continue
	sed 3q "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || {
		echo "$file: no licence in its first lines"
		bad=1
	}
done
if [ "${1:-}" = -c ] && command -v clang-format > /dev/null; then
	find src include -name '*.[ch]' -exec clang-format --dry-run {} + 2>&1 | grep -c warning: || true
fi
exit $bad
