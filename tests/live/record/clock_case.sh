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

# the clock of kernels without mono can be followed
"$FTWAIT" record --clock global -d 2 -o - 2> errors | "$FTWAIT" top -b -n 1 - > out 2>> errors
expect "global: top follows it" grep -q ' events/s, ' out
"$FTWAIT" record --clock global --trigger 'exit=true' --shots 1 --after 100ms -o shot.dat -- \
	sh -c 'sleep 0.3; /bin/true; sleep 1' > out 2> errors
expect "global: a shot" [ -s shot.1.dat ]
"$FTWAIT" record --clock local --trigger hung -o shot.dat -d 100ms > out 2> errors
expect "local: no flight recorder" said 'it follows only mono, boot and global'
finish
