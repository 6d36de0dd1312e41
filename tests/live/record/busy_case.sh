#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Many events on all CPUs: none lost with the default buffer, all of them in the file.
. "$(dirname "$0")/prelude.sh"

need trace-cmd

record -e syscalls -o a.dat -- dd if=/dev/zero of=/dev/null bs=1 count=200000 status=none
ended
expect "status 0" [ $status -eq 0 ]
expect "the system calls are there" [ "$(told events)" -gt 800000 ]
expect "nothing lost" [ "$(told lost)" = 0 ]
expect "the same count" [ "$(trace_events a.dat)" = "$(told events)" ]
expect "nothing of the recorder itself" \
	[ "$(trace-cmd report a.dat | grep -c "ftwait-$recorder .*sys_enter")" = 0 ]
finish
