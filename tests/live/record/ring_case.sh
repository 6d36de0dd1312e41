#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --ring keeps the newest data and does not call the rest lost.
. "$(dirname "$0")/prelude.sh"

need trace-cmd

record --ring -b 64K -e syscalls -o a.dat -- sh -c \
	'dd if=/dev/zero of=/dev/null bs=1 count=50000 status=none; exec echo the-end'
ended
expect "status 0" [ $status -eq 0 ]
expect "older ones were overwritten" said 'older ones overwritten'
expect "the last process is there" [ "$(trace-cmd report a.dat 2> warnings | grep -c 'echo')" -gt 0 ]
expect "the same count" [ "$(trace_events a.dat)" = "$(told events)" ]
finish
