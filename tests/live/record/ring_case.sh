#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --ring keeps the newest data; neither it nor a report calls the rest lost.
. "$(dirname "$0")/prelude.sh"

need trace-cmd

# large enough that what else runs does not overwrite the end before the recorder stops
record --ring -b 512K -e syscalls -o a.dat -- sh -c \
	'dd if=/dev/zero of=/dev/null bs=1 count=50000 status=none; exec echo the-end'
ended
expect "status 0" [ $status -eq 0 ]
expect "older ones were overwritten" said 'older ones overwritten'
expect "and none lost" [ "$(told lost)" = 0 ]
count=$(told 'older ones overwritten')
expect "the last process is there" [ "$(trace-cmd report a.dat 2> warnings | grep -c 'echo')" -gt 0 ]
expect "the same count" [ "$(trace_events a.dat)" = "$(told events)" ]
"$FTWAIT" report --strict --verbose a.dat > report 2> errors
expect "a report finds nothing lost" [ $? -eq 0 ]
overwritten=$(sed -n 's/^ *\([0-9,]*\) older events were overwritten, as --ring .*/\1/p' report)
expect "a report counts as many" [ "$(echo "$overwritten" | tr -d ,)" = "$count" ]

# a buffer that is too small is another matter
record -b 8K -e syscalls -o b.dat -- dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none
ended
expect "without --ring none is called overwritten" [ -z "$(told 'older ones overwritten')" ]
"$FTWAIT" report --json --summary b.dat > report 2> errors.report
expect "without --ring both say lost" [ "$(sed -n 's/.*"events_lost": \([0-9]*\),/\1/p' report)" = "$(told lost)" ]
finish
