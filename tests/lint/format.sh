#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Mechanical style that clang-format is not needed for: no trailing blanks, lines of at most 100
# columns (a tab is 8), a licence line first, a last line that ends. With -c also what clang-format
# would change, as a report.
set -u

bad=0
for file in src/*/*.[ch] include/ftwait/*.h tests/*/*.[ch] tests/*/*/*.[ch]; do
	[ -f "$file" ] || continue
	head -n 1 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || {
		echo "$file: no licence in its first line"
		bad=1
	}
	if grep -nE '[[:space:]]+$' "$file" | sed "s,^,$file:,"; [ -n "$(tail -c 1 "$file")" ]; then
		echo "$file: the last line does not end"
		bad=1
	fi
	grep -qE '[[:space:]]+$' "$file" && bad=1
	# a long string of expected output stays whole
	expand "$file" | awk -v file="$file" 'length($0) > 100 && !(file ~ /^tests/ && /"/) {
		printf "%s:%d: %d columns\n", file, NR, length($0); bad = 1 } END { exit bad }' || bad=1
done
for file in tests/*.sh tests/*/*.sh tests/*/*/*.sh .ci/run contrib/bootstrap; do
	[ -f "$file" ] || continue
	head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || {
		echo "$file: no licence in its first lines"
		bad=1
	}
done
if [ "${1:-}" = -c ] && command -v clang-format > /dev/null; then
	clang-format --dry-run src/*/*.[ch] include/ftwait/*.h 2>&1 | grep -c warning: || true
fi
exit $bad
