#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `make help` fits on one screen; every target that it or the documents name exists, and make reads
# every variable that it names.
set -u

bad=0
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL

make -s help > "$folder/help" || exit 1
# the rules as make has read them; -q runs nothing
make -pq help 2> /dev/null | sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' | sort -u > "$folder/targets"

lines=$(wc -l < "$folder/help")
if [ "$lines" -lt 10 ] || [ "$lines" -gt 24 ] || grep -nE '.{81}' "$folder/help"; then
	echo "make help: $lines lines are not one screen, or one is too wide"
	bad=1
fi
{
	sed -n '/^Targets/,/^Variables/s/^  \([a-z][a-z -]*[a-z]\)   .*/\1/p' "$folder/help" | tr ' ' '\n'
	grep -hoE '^    make [a-z-]+|`make [a-z-]+' README INSTALL .github/CONTRIBUTING.md | sed 's/.*make //'
	grep -oE '^make [a-z-]+' tests/README | sed 's/make //'
} | sort -u > "$folder/named"
[ "$(wc -l < "$folder/named")" -gt 10 ] || {
	echo "make help names hardly any target"
	bad=1
}
comm -23 "$folder/named" "$folder/targets" | sed 's/^/documented, but no target: make /' | grep . && bad=1

for variable in $(grep -oE '\<[A-Z][A-Z_]+=' "$folder/help" | tr -d = | sort -u); do
	[ "$variable" = VARIABLE ] || grep -qE "[(]${variable}[:)]|$variable \?=" Makefile mk/*.mk tests/tests.mk || {
		echo "make help names $variable, which nothing reads"
		bad=1
	}
done
exit $bad
