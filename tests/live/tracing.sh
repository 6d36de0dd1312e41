# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by what records: sets $tracing to the tracefs that this user may write to, empty where there
# is none. Where nothing is mounted yet, $FTWAIT (the program) mounts it for root, as it does for
# everybody.

tracing_find() {
	for mount in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ -w "$mount/trace_marker" ] && [ -w "$mount/instances" ] && tracing=$mount && return
	done
	return 1
}

# is_incomplete FILE: the kernel left switches out of the recording, as 6.18 does, and waits with them: then it
# is no sure witness. A switch away from idle is missing as such; one between two tasks shows as an
# inconsistency.
is_incomplete() {
	"$FTWAIT" report --json --summary "$1" 2> /dev/null |
		grep -qE '"(switches_missing|inconsistencies)": *[1-9]'
}

tracing=
tracing_find || ! "$FTWAIT" record -q -o /dev/null true > /dev/null 2>&1 || tracing_find || true
