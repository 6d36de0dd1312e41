#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# doctor, list and cleanup: exit status, and no instance left.
. "$(dirname "$0")/prelude.sh"

"$FTWAIT" doctor > out 2> errors
expect "doctor: status 0" [ $? -eq 0 ]
expect "doctor: sched" grep -q '^ok .*group sched' out
"$FTWAIT" list > out 2> errors
expect "list: status 0" [ $? -eq 0 ]
expect "list: an event" grep -q 'sched:sched_switch .*present' out
need jq
expect "list --json" [ "$("$FTWAIT" list --json | jq -r '.groups[0].events[0].event')" = \
	sched:sched_switch ]
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
cp "$FTWAIT" ./ftwait
chmod 755 . ./ftwait
setpriv --reuid=65534 --regid=65534 --clear-groups ./ftwait record -o /dev/null true 2> errors
expect "without rights: status 1" [ $? -eq 1 ]
expect "without rights: one line with file, reason and mend" said 'Permission denied; run .* as root'
setpriv --reuid=65534 --regid=65534 --clear-groups ./ftwait doctor > out 2> errors
expect "doctor without rights: status 1" [ $? -eq 1 ]
expect "doctor without rights: file and error alone" \
	grep -q '^FAILED  tracefs  *[^;]*: Permission denied$' out
expect "doctor without rights: consequence and mend" \
	[ "$(grep -A 2 '^FAILED' out | grep -c -e ' consequence: nothing' -e ' mend: run .* as root')" = 2 ]
finish
