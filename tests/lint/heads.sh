#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every head of a column that a view shows in text is explained under COLUMNS in ftwait-report(1),
# in their alphabetical order, and every head that is explained there is one.
set -u

page=man/ftwait-report.1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

cat src/analysis/*.c src/views/*.c src/views/*/*.c | tr '\n\t' '  ' |
	grep -oE '\{("[a-z0-9_]+"|NULL), +"[^"]+", +CELL_[A-Z_]+,[^}]*\}' > "$work/columns"
heads_of() {
	sed 's/^{[^,]*, *"\([^"]*\)".*/\1/'
}

# {"key", "HEAD", CELL_..., flags} and text_table_column(table, "HEAD"; what is for data alone has
# no head, but some of that is shown where it is asked for
{
	grep -v COLUMN_DATA_ONLY "$work/columns" | heads_of
	sed -n 's/.*text_table_column(table, "\([^"]*\)".*/\1/p' src/present/text_tree.c
	sed -n 's/^#define MACHINE_COLUMN "[a-z]*", "\([^"]*\)".*/\1/p' src/analysis/cells.h
	sed -n 's/^\t\.title = "\([A-Z][^"]*\)",$/\1/p' src/analysis/*.c src/views/*.c src/views/*/*.c
	grep -ohE '\] = \{"[a-z_]+", "[A-Z ]+"\}' src/analysis/*.c src/views/*.c src/views/*/*.c | sed 's/.*, "\(.*\)"}/\1/'
} | LC_ALL=C sort -u > "$work/heads"
sed -n '/^\.Sh COLUMNS/,/^\.El/s/^\.It Li "*\([^"]*\)"*$/\1/p' "$page" > "$work/told"

bad=0
[ "$(wc -l < "$work/heads")" -ge 50 ] || {
	echo "only $(wc -l < "$work/heads") heads are found in src/analysis and src/views"
	bad=1
}
LC_ALL=C sort -u "$work/told" > "$work/sorted"
cmp -s "$work/told" "$work/sorted" || {
	echo "COLUMNS of $page is not in alphabetical order"
	bad=1
}
LC_ALL=C comm -23 "$work/heads" "$work/sorted" | sed "s|^|$page lacks under COLUMNS: |" | grep . && bad=1
heads_of < "$work/columns" | LC_ALL=C sort -u - "$work/heads" > "$work/all"
LC_ALL=C comm -13 "$work/all" "$work/sorted" | sed "s|^|$page explains, no table has: |" | grep . && bad=1
exit $bad
