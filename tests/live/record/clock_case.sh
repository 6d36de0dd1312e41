#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Clocks that count no nanoseconds are refused, and those that do are named.
. "$(dirname "$0")/prelude.sh"

for clock in counter uptime; do
	record --clock $clock -o a.dat -d 100ms
	ended
	expect "$clock: status 1" [ $status -eq 1 ]
	expect "$clock: why" said "^ftwait: clock \"$clock\" counts .*, not nanoseconds; use one of: .*mono"
	expect "$clock: not among those that serve" [ "$(grep -c "use one of:.* $clock" errors)" = 0 ]
	expect "$clock: one line" [ "$(lines)" -eq 1 ]
	expect "$clock: nothing is written" [ ! -e a.dat ]
done

record --clock sundial -o a.dat -d 100ms
ended
expect "no such clock: status 1" [ $status -eq 1 ]
expect "no such clock" said '^ftwait: this kernel has no clock "sundial" (.*Invalid argument); use one of: .*mono'
finish
