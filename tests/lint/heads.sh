#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every head of a column that a view shows in text is explained in ftwait-views(7), exactly once: with
# its view, or under COLUMNS; each list is in alphabetical order, and every head that is explained is
# one.
set -u

page=man/ftwait-views.7
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cat src/analysis/*.c src/analysis/*/*.c src/views/*.c src/views/*/*.c | tr '\n\t' '  ' |
	grep -oE '\{("[a-z0-9_]+"|NULL), +"[^"]+", +CELL_[A-Z_]+,[^}]*\}' > "$work/columns"
heads_of() {
	sed 's/^{[^,]*, *"\([^"]*\)".*/\1/'
}

# {"key", "HEAD", CELL_..., flags} and text_table_column(table, "HEAD"; what is for data alone has
# no head, but some of that is shown where it is asked for
{
	grep -v COLUMN_DATA_ONLY "$work/columns" | heads_of
	sed -n 's/.*text_table_column(table, "\([^"]*\)".*/\1/p' src/present/text/text_tree.c
	sed -n 's/^#define MACHINE_COLUMN "[a-z]*", "\([^"]*\)".*/\1/p' src/analysis/tables/cells.h
	sed -n 's/^\t\.title = "\([A-Z][^"]*\)",$/\1/p' src/analysis/*.c src/analysis/*/*.c src/views/*.c src/views/*/*.c
	grep -ohE '\] = \{"[a-z_]+", "[A-Z ]+"\}' src/analysis/*.c src/analysis/*/*.c src/views/*.c src/views/*/*.c | sed 's/.*, "\(.*\)"}/\1/'
} | LC_ALL=C sort -u > "$work/heads"
sed -n 's/^\.It Li "*\([^"]*\)"*$/\1/p' "$page" > "$work/explained"

bad=0
[ "$(wc -l < "$work/heads")" -ge 50 ] || {
	echo "only $(wc -l < "$work/heads") heads are found in src/analysis and src/views"
	bad=1
}
LC_ALL=C awk '
	/^\.El/ { last = "" }
	sub(/^\.It Li /, "") && gsub(/"/, "") >= 0 {
		if ($0 < last) {
			print FILENAME ": " $0 " is behind " last
			bad = 1
		}
		last = $0
	}
	END { exit bad }' "$page" || bad=1
LC_ALL=C sort "$work/explained" | uniq -d | sed "s|^|$page explains more than once: |" | grep . && bad=1
LC_ALL=C sort -u "$work/explained" > "$work/sorted"
LC_ALL=C comm -23 "$work/heads" "$work/sorted" | sed "s|^|$page does not explain the column |" | grep . && bad=1
heads_of < "$work/columns" | LC_ALL=C sort -u - "$work/heads" > "$work/all"
LC_ALL=C comm -13 "$work/all" "$work/sorted" | sed "s|^|$page explains, no table has: |" | grep . && bad=1
exit $bad
