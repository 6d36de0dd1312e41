#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A buffer that is too small: the closing line names the CPUs that lost events.
. "$(dirname "$0")/prelude.sh"

need trace-cmd

record -b 16K -e syscalls -o a.dat -- dd if=/dev/zero of=/dev/null bs=1 count=300000 status=none
ended
expect "status 0" [ $status -eq 0 ]
expect "the CPU is named" said ' lost (cpu [0-9]*: [0-9,]*'
expect "a hint" said '(-b)'
expect "the closing line is the last" [ "$(tail -n 1 errors | head -c 9)" = '[ ftwait:' ]
expect "what was not lost is in the file" [ "$(trace_events a.dat)" = "$(told events)" ]
finish
