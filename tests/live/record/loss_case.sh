#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A buffer that runs over: the closing line names the CPUs that lost events. The recorder is stopped
# meanwhile; running, it keeps up with 2 million events a second in 16 KiB, if nothing else runs.
. "$(dirname "$0")/prelude.sh"

need trace-cmd

record -b 16K -e syscalls -o a.dat
begun
kill -STOP "$recorder"
dd if=/dev/zero of=/dev/null bs=1 count=30000 status=none
kill -CONT "$recorder"
dd if=/dev/zero of=/dev/null bs=1 count=30000 status=none
kill -INT "$recorder"
ended
expect "status 0" [ $status -eq 0 ]
expect "the CPU is named" said ' lost (cpu [0-9]*: [0-9,]*'
expect "a hint" said '(-b)'
expect "the closing line is the last" [ "$(tail -n 1 errors | head -c 9)" = '[ ftwait:' ]
expect "what was not lost is in the file" [ "$(trace_events a.dat)" = "$(told events)" ]
finish
