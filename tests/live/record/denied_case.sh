#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each thing that stands in the way has its own mend, from record and from doctor. What a machine
# would have to be booted for is in the unit tests of tracing_access.c.
. "$(dirname "$0")/prelude.sh"

need unshare
need prlimit
unshare -m true 2> /dev/null || { echo "cannot make a mount namespace"; exit 77; }

# among COMMANDS: runs record and doctor after them in a mount namespace of its own
among() {
	for command in 'record -o a.dat true' doctor; do
		unshare -m sh -c "{ $1; } 2> /dev/null; exec \"$FTWAIT\" $command" > "${command%% *}" 2>&1
	done
}

# the part of a tracefs is a tracefs in which no tracepoints are; where debugfs is mounted, it has
# another tracefs
empty="umount -l /sys/kernel/debug; mount --bind $tracing/options $tracing"
among "$empty"
expect "empty: record" grep -q 'shows no tracepoints (.*locked down.*); ' record
expect "empty: doctor" grep -q '^FAILED  tracefs  .*shows no tracepoints (.*locked down' doctor

among "umount -l /proc"
expect "no /proc: not the rights" [ "$(grep -c CAP_SYSLOG doctor)" = 0 ]
expect "no /proc: symbols" grep -q '^gap  *kernel symbols' doctor
expect "no /proc: the mend" [ "$(grep -c 'mend: mount -t proc' doctor)" = 2 ]
expect "no /proc: no word on the machine" [ "$(grep -c '^.*machine  ' doctor)" = 0 ]

# not even root opens a device of a mount without devices
mkdir disk
among "mount -t tmpfs -o nodev none disk; mknod disk/null c 1 3
	mount --bind disk/null $tracing/available_events"
expect "denied to root: not the user" [ "$(grep -c 'as root' record doctor | grep -vc ':0$')" = 0 ]
expect "denied to root: record" \
	grep -q 'available_events: Permission denied (a security module forbids it); allow' record
expect "denied to root: doctor" \
	grep -q '^FAILED  tracefs .*/available_events: Permission denied (a security' doctor

# limited FILES ARGUMENT...: with no other file open than the standard ones
limited() {
	(exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
		files=$1
		shift
		exec prlimit --nofile="$files" "$FTWAIT" "$@")
}

# beside another recorder, of which nothing false may be said where its lock cannot be looked at
record -q -o living.dat
begun
for files in 4 5 6 7 8 9 10 11; do
	limited $files record -o /dev/null true 2> errors
	expect "$files files: status 1" [ $? -eq 1 ]
	expect "$files files: the mend" said 'Too many open files; raise the limit: ulimit -n$'
	expect "$files files: one line" [ "$(lines)" = 1 ]
	expect "$files files: not standard output" [ "$(grep -c 'standard output' errors)" = 0 ]
done
kill -INT "$recorder"
ended
expect "the other recorder goes on" [ $status -eq 0 ]
limited 4 doctor > doctor 2> errors
expect "4 files: doctor" [ "$(grep -A 2 'Too many open files' doctor | grep -c 'ulimit -n')" -ge 1 ]
finish
