#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A user without privileges records into an instance that root has prepared, and reaches nothing else of
# tracefs. The instance is restored after a normal end, after the recorder was killed, and after its guard
# was killed, too. An instance that another process uses is not touched.
# alone: looks at what killed recorders leave
prepare=$(realpath "$(dirname "$0")/../../../contrib/prepare-instance")
. "$(dirname "$0")/prelude.sh"

need setpriv
need pgrep
[ "$(id -u)" = 0 ] || { echo "only root can prepare an instance"; exit 77; }
name=prepared$$ instance=$tracing/instances/prepared$$
FTWAIT_PREPARED=$scratch/prepared
export FTWAIT_PREPARED

modes() {
	stat -c '%a %u %g' "$tracing" "$tracing/instances"
	grep ' tracefs ' /proc/mounts
}

# closed WHEN: no file of tracefs is open to user 2000 but for those of the instance
closed() {
	find "$tracing" -path "$instance*" -prune -o -type l -o -print > files
	expect "$1: there are many files: $(wc -l < files)" [ "$(wc -l < files)" -gt 1000 ]
	expect "$1: none is of the user's group" \
		[ -z "$(find "$tracing" -path "$instance*" -prune -o -gid 2000 -print 2> /dev/null | head -n 3)" ]
	sed -n 's/^[^ ]* \([^ ]*\) tracefs .*/\1/p' /proc/mounts > mounts
	# shellcheck disable=SC2016 # for that shell
	setpriv --reuid 2000 --regid 2000 --clear-groups sh -c 'while read -r file; do
			[ ! -r "$file" ] && [ ! -w "$file" ] || echo "$file"
		done
		while read -r mount; do
			find "$mount" -mindepth 1
		done <&3' < files 3< mounts 2> /dev/null | grep -v "^$FTWAIT_PREPARED/$name" > open
	expect "$1: nothing else is open to the user: $(head -n 3 open)" [ ! -s open ]
}

modes > modes.before
# restores the tracefs of this machine, however the case ends
trap '"$prepare" --undo $name 2> /dev/null
	umount "$FTWAIT_PREPARED"/* 2> /dev/null
	scratch_remove' EXIT
"$prepare" $name 2000 > prepared.out 2> errors
expect "prepare-instance" [ $? -eq 0 ]
[ -d "$instance" ] || finish
expect "it says what to type" grep -q "^prepared: ftwait record --instance=$name\$" prepared.out

chmod 711 .
mkdir user
chown 2000:2000 user
cp "$FTWAIT" user/ftwait
chmod 755 user/ftwait
setpriv --reuid 2000 --regid 2000 --clear-groups user/ftwait --version > /dev/null 2>&1 ||
	{ echo "user 2000 may not execute a program in $scratch"; exit 77; }

# as_user ARGUMENT...: ftwait without privileges
as_user() {
	(cd user && exec setpriv --reuid 2000 --regid 2000 --clear-groups ./ftwait "$@") 2> errors
}

closed "prepared"

# settings NAME: prints all settings that a recorder changes
settings() {
	(cd "$tracing/instances/$1" && grep -s '' tracing_on trace_clock buffer_size_kb buffer_percent \
		set_event set_event_pid set_event_notrace_pid tracing_cpumask options/overwrite \
		options/event-fork options/userstacktrace options/disable_on_free options/stacktrace \
		options/markers events/sched/filter events/sched/sched_switch/filter \
		events/sched/sched_switch/trigger events/sched/sched_waking/trigger \
		events/raw_syscalls/filter)
}

same() { # WHAT
	for of in $name $name.syscalls $name.stacks; do
		settings $of | diff settings.before - > differs
		expect "$1: $of is as before: $(cat differs)" [ ! -s differs ]
	done
}

# All of that is another than in a new instance, and would hide most events: as another tracer may
# have left it.
for of in $name $name.syscalls $name.stacks; do
	(
		cd "$tracing/instances/$of" || exit 1
		echo 0 > tracing_on
		echo mono > trace_clock
		echo 64 > buffer_size_kb
		echo 1 > set_event_pid
		[ ! -e set_event_notrace_pid ] || echo 2 > set_event_notrace_pid
		echo 1 > tracing_cpumask
		echo 0 > options/overwrite
		echo 1 > options/stacktrace
		echo 0 > options/markers
		echo 'prev_pid == 1 && next_comm ~ "a*"' > events/sched/sched_switch/filter
		echo 'id == 1' > events/raw_syscalls/filter
	)
done
settings $name > settings.before
expect "there is a filter" grep -q 'sched_switch/filter:prev_pid == 1' settings.before
as_user record --instance=$name -o a.dat -d 300ms --stacks
expect "record" [ $? -eq 0 ]
same "record"
"$FTWAIT" report user/a.dat --json --summary > report 2> errors
expect "report" [ $? -eq 0 ]
expect "it has events" grep -q '"events": [1-9]' report
for cpu in $(cut -d - -f 1-2 --output-delimiter=' ' /sys/devices/system/cpu/online); do
	"$FTWAIT" report user/a.dat --waits --format csv -C "$cpu" > waits 2> errors
	expect "it has waits of CPU $cpu" [ "$(wc -l < waits)" -gt 3 ]
done
expect "it says what is missing" grep -q 'recorded without privileges' report

as_user record --instance=$name -o b.dat -e +syscalls --stacks=user -- sleep 0.2
expect "COMMAND" [ $? -eq 0 ]
same "COMMAND"

as_user why --instance=$name $$ -d 300ms > /dev/null
expect "why" [ $? -eq 0 ]
as_user top --instance=$name -b -n 1 -i 300ms > /dev/null
expect "top" [ $? -eq 0 ]
same "top"

as_user doctor --no-pager > doctor
expect "doctor" [ $? -eq 0 ]
expect "doctor names it" grep -q "^ok  *prepared instance  .*/$name\$" doctor
same "doctor"

as_user record --instance=$name.none -d 1
expect "no such instance: status 1" [ $? -eq 1 ]
expect "no such instance: the mend" said "--instance=$name.none: no .*; as root: .*chown -R 2000"
as_user record --instance=../x -d 1
expect "a path: status 2" [ $? -eq 2 ]
closed "recorded"

is_used() {
	grep -q . "$instance/set_event" 2> /dev/null
}

is_free() {
	! is_used
}

# start: sets $recorder and its $guards
start() {
	(cd user && exec setpriv --reuid 2000 --regid 2000 --clear-groups ./ftwait record \
		--instance=$name --stacks -q -o c.dat -d 60) 2> errors &
	recorder=$!
	expect "recording begins" await 30 is_used
	guards=$(pgrep -P $recorder)
}

start
as_user record --instance=$name -o d.dat -d 1
expect "taken: status 1" [ $? -eq 1 ]
expect "taken: one line" said "$name is in use by another ftwait; "
kill -9 $recorder
restored() {
	is_free && settings $name | cmp -s settings.before -
}
expect "killed: restored" await 10 restored
wait
same "killed"

start
# shellcheck disable=SC2086 # several
kill -9 $guards $recorder
wait
expect "killed with its guard: it is left" is_used
as_user cleanup > out
expect "cleanup" [ $? -eq 0 ]
expect "cleanup says so" grep -qx "reset $name" out
expect "cleanup: no events" is_free
start
# shellcheck disable=SC2086 # several
kill -9 $guards $recorder
wait
as_user record --instance=$name -o e.dat -d 200ms
expect "the next one records" [ $? -eq 0 ]
expect "the next one says so" said "$name was left by a killed ftwait"
expect "the next one: no events" is_free
closed "killed with its guard"

echo 1 > "$instance/events/sched/sched_switch/enable"
as_user record --instance=$name -o f.dat -d 1
expect "used by another: status 1" [ $? -eq 1 ]
expect "used by another: why" said "$name is in use: sched:sched_switch is on; "
expect "used by another: left alone" [ "$(cat "$instance/set_event")" = sched:sched_switch ]
echo 0 > "$instance/events/enable"

# What a trigger has counted would be lost with it.
echo stacktrace > "$instance/events/sched/sched_waking/trigger"
settings $name > settings.before
as_user record --instance=$name -o f.dat -d 1
expect "a trigger: status 1" [ $? -eq 1 ]
expect "a trigger: why" said "$name/events/sched/sched_waking has a trigger: stacktrace:unlimited; "
settings $name | diff settings.before - > differs
expect "a trigger: left alone: $(cat differs)" [ ! -s differs ]
echo '!stacktrace' > "$instance/events/sched/sched_waking/trigger"

echo 128 > "$instance/per_cpu/cpu0/buffer_size_kb"
if [ "$(cat "$instance/buffer_size_kb")" = X ]; then
	as_user record --instance=$name -o f.dat -d 1
	expect "buffers of several sizes: status 1" [ $? -eq 1 ]
	expect "buffers of several sizes: why" said "$name: the buffers of its CPUs differ in size; "
fi

"$prepare" $name 2000 > prepared.out 2> errors
expect "prepare-instance again" [ $? -eq 0 ]
"$prepare" --undo $name 2> errors
expect "undo" [ $? -eq 0 ]
expect "undo: nothing is left" [ "$(find "$tracing/instances" -maxdepth 1 -name "$name*")" = '' ]
modes | diff modes.before - > differs
expect "undo: no folder is left" [ ! -e "$FTWAIT_PREPARED" ]
expect "undo: the folders and mounts are as before: $(cat differs)" [ ! -s differs ]
finish
