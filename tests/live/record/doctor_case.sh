#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# doctor, list and cleanup: exit status, and no instance left.
. "$(dirname "$0")/prelude.sh"

"$FTWAIT" doctor > out 2> errors
expect "doctor: status 0" [ $? -eq 0 ]
expect "doctor: sched" grep -q '^ok .*group sched' out
if [ -e "$tracing/set_event_pid" ] && [ -e "$tracing/options/event-fork" ]; then
	tasks='^ok .*calls of tasks .*set_event_pid, options/event-fork$'
else
	tasks='^gap .*calls of tasks .*: No such file or directory$'
fi
expect "doctor: system calls of some tasks" grep -q "$tasks" out
expect "doctor: stacks of the kernel" grep -q -E '^(ok|gap) .* stacks  ' out
expect "doctor: stacks of programs" grep -q -E '^(ok|gap) .*program stacks .*options/userstacktrace' out
expect "doctor: ticks" grep -q -E '^(ok .*profile  *[1-9][0-9]* ticks a second|gap .*profile .*tick)' out
"$FTWAIT" list > out 2> errors
expect "list: status 0" [ $? -eq 0 ]
expect "list: an event" grep -q 'sched:sched_switch .*present' out
# paged ARGUMENT...: the list on a terminal of 60 columns, each line marked by the pager
paged() {
	script -qec "stty cols 60; TERM=xterm PAGER='sed s/^/PAGER:/' \"$FTWAIT\" list $*" /dev/null \
		< /dev/null | tr -d '\r'
}

need script
paged > out
expect "list: through the pager" [ "$(grep -vc '^PAGER:' out)" = 0 ]
expect "list: the pager sees events" grep -q '^PAGER:  sched:sched_switch .*present' out
expect "list: as wide as the terminal" [ -z "$(sed s/^PAGER:// out | grep -E '^.{61}')" ]
paged --no-pager > out
expect "list: without the pager" [ "$(grep -c '^PAGER:' out)" = 0 ]
expect "list: the same events" grep -q '^  sched:sched_switch .*present' out
need jq
expect "list --json" [ "$("$FTWAIT" list --json | jq -r '.groups[0].events[0].event')" = \
	sched:sched_switch ]
expect "events of which a group records only some" [ "$("$FTWAIT" list --json | jq -r '.groups[0].events[] |
	select(.event == "timer:timer_expire_entry") | .filter')" = \
	"function.function == process_timeout" ]
# files FILTER: what list says of the files behind system calls of some tasks alone
files() {
	"$FTWAIT" list --json | jq -r ".groups[] | select(.name == \"syscalls\") | .files[] | $1"
}

expect "list --json: the files" [ "$(files .file | tr '\n' ' ')" = "set_event_pid options/event-fork " ]
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
if unshare -m true 2> /dev/null && [ -e "$tracing/options/event-fork" ]; then
	mkdir none
	unshare -m sh -c "mount --bind none $tracing/options && exec \"$FTWAIT\" list" > out 2> errors
	expect "list: a kernel without event-fork" grep -q 'options/event-fork  *missing' out
	expect "list: it has the other one" grep -q 'set_event_pid  *present' out
fi
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
