#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tracefs missing, read-only or in an unusual place: one line that says so, or it is found.
. "$(dirname "$0")/prelude.sh"

need unshare
mkdir elsewhere
elsewhere=$scratch/elsewhere
without_usual='umount -R /sys/kernel/debug; umount /sys/kernel/debug; umount /sys/kernel/tracing'
unshare -m sh -c "$without_usual" 2> /dev/null || { echo "cannot unmount in a namespace"; exit 77; }

# among COMMANDS: runs record after them in a mount namespace of its own
among() {
	unshare -m sh -c "{ $1; } 2> /dev/null; exec \"$FTWAIT\" record -o a.dat true" 2> errors
	status=$?
}

among "$without_usual"
expect "not mounted: status 1" [ $status -eq 1 ]
expect "not mounted: places and mend" said 'no tracefs is mounted .*; as root: mount -t tracefs'
expect "not mounted: one line" [ "$(wc -l < errors)" = 1 ]
among "umount -R /sys/kernel/debug; umount /sys/kernel/debug; mount -o remount,bind,ro /sys/kernel/tracing"
expect "read-only: status 1" [ $status -eq 1 ]
expect "read-only: file and reason" said '/sys/kernel/tracing: Read-only file system; '
expect "no file" [ ! -e a.dat ]
among "$without_usual; mount -t tracefs none $elsewhere"
expect "elsewhere: status 0" [ $status -eq 0 ]
finish
