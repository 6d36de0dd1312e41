#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tracefs missing, read-only or in an unusual place: one line that says so, or it is found.
. "$(dirname "$0")/prelude.sh"

need unshare
mkdir elsewhere
elsewhere=$scratch/elsewhere
# debugfs first: whoever looks into it has tracefs mounted there by the kernel.
without_debug='while umount -R /sys/kernel/debug; do :; done'
without_any="$without_debug; awk '\$3 == \"tracefs\" { print \$2 }' /proc/mounts | xargs -r umount"
unshare -m sh -c "$without_any; ! grep -q tracefs /proc/mounts" 2> /dev/null || {
	echo "cannot unmount in a namespace"
	exit 77
}

# among COMMANDS: runs record after them in a mount namespace of its own
among() {
	unshare -m sh -c "{ $1; } 2> /dev/null; exec \"$FTWAIT\" record -o a.dat true" 2> errors
	status=$?
}

among "$without_any"
expect "not mounted: status 1" [ $status -eq 1 ]
expect "not mounted: places and mend" said 'no tracefs is mounted .*; as root: mount -t tracefs'
expect "not mounted: one line" [ "$(wc -l < errors)" = 1 ]
among "$without_any; mount -t tracefs none /sys/kernel/tracing &&
	mount -o remount,bind,ro /sys/kernel/tracing"
expect "read-only: status 1" [ $status -eq 1 ]
expect "read-only: file and reason" said '/sys/kernel/tracing: Read-only file system; '
expect "no file" [ ! -e a.dat ]
among "$without_any; mount -t tracefs none $elsewhere"
expect "elsewhere: status 0" [ $status -eq 0 ]
finish
