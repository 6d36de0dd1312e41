#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -d ends by itself; the closing line and trace-cmd count the same events.
. "$(dirname "$0")/prelude.sh"

need trace-cmd

record -o a.dat -d 300ms
ended
expect "status 0" [ $status -eq 0 ]
expect "a closing line" said '^\[ ftwait: .*, .* events, 0 lost, 0\.[0-9] s -> a\.dat \]$'
expect "a trace.dat" is_datfile a.dat
expect "for the owner only" [ "$(stat -c %a a.dat)" = 600 ]
expect "the same count" [ "$(trace_events a.dat)" = "$(told events)" ]
expect "no complaint of trace-cmd" [ ! -s warnings ]

# 584 years, which the clock's own time added to them takes beyond 64 bits
record -o b.dat -d 18446744073
begun
sleep 0.5
expect "a long duration is none that has passed" kill -0 "$recorder"
kill -INT "$recorder" 2> /dev/null
ended
finish
