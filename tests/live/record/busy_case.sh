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
trace-cmd report a.dat 2> warnings | awk -v own="ftwait-$recorder " '
	/^cpus=/ || /EVENTS DROPPED/ { next }
	{ events++ }
	/sys_enter/ && index($0, own) { calls++ }
	END { print events + 0, calls + 0 }' > counts
read -r events calls < counts
expect "the same count: $events" [ "$events" = "$(told events)" ]
expect "nothing of the recorder itself" [ "$calls" = 0 ]
finish
