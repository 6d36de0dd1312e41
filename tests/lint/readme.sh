#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# README is for who has ten minutes: at most 140 lines, and the first screen has the command that needs no
# file. README and INSTALL have at most 100 columns.
set -u

LC_ALL=C.UTF-8
export LC_ALL
bad=0
lines=$(wc -l < README)
if [ "$lines" -lt 40 ] || [ "$lines" -gt 140 ]; then
	echo "README: $lines lines"
	bad=1
fi
head -n 23 README | grep -q '^    # ftwait why ' || {
	echo "README: its first screen does not show ftwait why"
	bad=1
}
if grep -nE '.{101}' README INSTALL; then
	echo "  more than 100 columns"
	bad=1
fi
exit $bad
