#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tracefs missing, read-only or in an unusual place: it is mounted or found, or one line says so.
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

# among COMMANDS [PROGRAM ARGUMENT...]: runs ftwait after them in a mount namespace of its own, and
# tells what is mounted then
among() {
	commands=$1
	shift
	[ $# -gt 0 ] || set -- record -o a.dat true
	unshare -m sh -c "{ $commands; } 2> /dev/null
		\"\$@\"
		status=\$?
		grep -s ' tracefs ' /proc/mounts > mounted
		exit \$status" sh "$FTWAIT" "$@" > out 2> errors
	status=$?
}

among "$without_any" record -o a.dat -- sh -c 'sleep 0.1'
expect "not mounted: status 0" [ $status -eq 0 ]
expect "not mounted: recorded" is_datfile a.dat
expect "not mounted: says what it does" \
	said '^ftwait: mounted tracefs at /sys/kernel/tracing, where it stays$'
expect "not mounted: two lines" [ "$(lines)" = 2 ]
expect "not mounted: it stays" grep -q '^tracefs /sys/kernel/tracing tracefs ' mounted
for flag in nosuid nodev noexec; do
	expect "not mounted: $flag" grep -q "[ ,]${flag}[ ,]" mounted
done
rm a.dat
among "$without_any" record -q -o a.dat true
expect "not mounted, -q: silent" [ ! -s errors ]
rm a.dat

# refused ARGUMENT...: where nothing is mounted, this says so and leaves it at that
refused() {
	among "$without_any" "$@"
	expect "$1: status 1" [ $status -eq 1 ]
	expect "$1: places and mend" grep -q 'no tracefs is mounted (.*/proc/mounts)' out errors
	expect "$1: mend" grep -q 'as root "ftwait record" mounts it, or: mount -t tracefs' out errors
	expect "$1: mounts nothing" [ ! -s mounted ]
}
refused record --no-mount -o a.dat true
expect "--no-mount: one line" [ "$(lines)" = 1 ]
refused list
refused cleanup
refused doctor
expect "doctor: consequence" grep -q 'consequence: nothing can be recorded yet' out

sleep 30 &
sleeper=$!
among "umount -l /proc" record -o b.dat -p $sleeper -d 1500ms
expect "no /proc: status 0" [ $status -eq 0 ]
expect "no /proc: a trace.dat" is_datfile b.dat
expect "no /proc: the task of -p is not taken for gone" said ', \(1\.[5-9]\|[2-9]\.[0-9]\) s -> b.dat'
expect "no /proc: one line" [ "$(lines)" = 1 ]
kill $sleeper

among "$without_any; umount -l /sys/fs/cgroup /sys"
expect "cannot be mounted: status 1" [ $status -eq 1 ]
expect "cannot be mounted: why, and the mend" \
	said '^ftwait: cannot mount tracefs at /sys/kernel/tracing: No such file .*; mount -t sysfs'
expect "cannot be mounted: one line" [ "$(lines)" = 1 ]
need setpriv
among "$without_any; set -- setpriv --bounding-set=-sys_admin \"\$@\""
expect "may not mount: the reason" said 'cannot mount tracefs .* (root without CAP_SYS_ADMIN,.*); give'
among "$without_any; mount -t tracefs none /sys/kernel/tracing &&
	mount -o remount,bind,ro /sys/kernel/tracing"
expect "read-only: status 1" [ $status -eq 1 ]
expect "read-only: file and reason" said '/sys/kernel/tracing: Read-only file system; '
expect "no file" [ ! -e a.dat ]
among "$without_any; mount -t tracefs none $elsewhere"
expect "elsewhere: status 0" [ $status -eq 0 ]
finish
