#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that hang, each in its own way: the first screen of the report, and of why, names what they
# wait for and which task has it.
. "$(dirname "$0")/prelude.sh"

need flock
need prlimit
oracles=$(dirname "$FTWAIT")/tests/live/oracles
victim=

ends() { # PID...: kills them and waits
	kill -CONT "$@" 2> /dev/null
	kill -9 "$@" 2> /dev/null
	wait "$@" 2> /dev/null
}

# records_and_why PID: both at a time, for longer than the second after which a wait is a hang
records_and_why() {
	"$FTWAIT" record -q -p "$1" -d 1.2 -o hang.dat 2> errors.record &
	records=$!
	COLUMNS=80 "$FTWAIT" why -d 1.2 "$1" > why 2> errors
	why_status=$?
	wait $records
	record_status=$?
}

# asks WHAT PATTERN PID: a recording of the process and `why` both say it in their first lines
asks() {
	records_and_why "$3"
	expect "$1: records" [ $record_status -eq 0 ]
	COLUMNS=80 "$FTWAIT" report hang.dat > report 2> errors
	expect "$1: report" matches "$2" report
	expect "$1: why: status 0" [ $why_status -eq 0 ]
	expect "$1: why" matches "$2" why
	expect "$1: why: one screen" [ "$(wc -l < why)" -le 24 ]
}

# matches PATTERN FILE: its first paragraph has it, lines joined
matches() {
	head -n 12 "$2" | tr '\n' ' ' | grep -q -e "$1" && return
	echo "no '$1' in:"
	head -n 12 "$2"
	return 1
}

# on a flock that another program has, taken before the recording
: > lock
flock lock sleep 30 &
holder=$!
await 20 grep -q "FLOCK.* $holder " /proc/locks
flock lock true &
victim=$!
await 20 grep -q "> FLOCK.* $victim " /proc/locks
asks flock "flock\[$victim\] hangs since before the recording: waits for a flock on $scratch/lock, held by flock\[$holder\], which waits for its child sleep\[[0-9]*\], which sleeps on a timer" "$victim"

# whose holder is stopped
pkill -STOP -P "$holder"
kill -STOP "$holder"
asks stopped "flock\[$victim\] hangs since .*held by flock\[$holder\], which is stopped" "$victim"
pkill -9 -P "$holder"
ends "$holder" "$victim"

# inside the recording
flock lock sleep 30 &
holder=$!
await 20 grep -q "FLOCK.* $holder " /proc/locks
record -q -d 2 -o inside.dat -- sh -c 'sleep 0.3; exec flock lock true'
ended
COLUMNS=80 "$FTWAIT" report inside.dat > report 2> errors
expect "inside: report" matches "flock\[[0-9]*\] has hung for [1-9]\.[0-9]* s: waits for a flock on $scratch/lock, held by flock\[$holder\]" report
# COMMAND has the lock then, and ends
pkill -9 -P "$holder"
ends "$holder"

# circles of mutexes: the program itself says which thread has which
for count in 1 2 3; do
	"$oracles/mutex_circle" $count > truth &
	victim=$!
	members() { [ "$(wc -l < truth)" = $count ]; }
	await 20 members
	records_and_why "$victim"
	"$FTWAIT" report hang.dat --json > json 2> errors
	"$FTWAIT" report hang.dat > report 2> errors
	expect "circle of $count: report" matches 'Deadlock: member0\[' report
	while read -r name tid address; do
		expect "circle of $count: $name" grep -q "^Deadlock: .*$name\[$tid\].*$address" report
		[ $count -eq 1 ] ||
			expect "circle of $count: $name has" grep -q "$name\[$tid\] has the lock $address and waits for" report
	done < truth
	expect "circle of $count: why" matches 'Deadlock: member0\[' why
	ends "$victim"
done

# a shell whose child hangs
flock lock sleep 30 &
holder=$!
await 20 grep -q "FLOCK.* $holder " /proc/locks
sh -c 'flock lock true; :' &
victim=$!
await 20 grep -q '> FLOCK' /proc/locks
asks child "sh\[$victim\] hangs since before the recording: waits for its child flock\[[0-9]*\], which waits for a flock on $scratch/lock, held by flock\[$holder\]" "$victim"
pkill -9 -P "$victim"
pkill -9 -P "$holder"
ends "$victim" "$holder"

# in state D: a write to a file system that is frozen
if command -v fsfreeze > /dev/null && command -v mkfs.ext4 > /dev/null; then
	truncate -s 16M image
	mkdir -p disk
	if mkfs.ext4 -q image && mount -o loop image disk 2> /dev/null; then
		fsfreeze -f disk
		dd if=/dev/zero of=disk/file bs=4096 count=1 2> /dev/null &
		victim=$!
		in_d() { grep -q '^State:.D' "/proc/$victim/status"; }
		await 20 in_d
		asks frozen "dd\[$victim\] hangs since before the recording: waits .*(in state D)" "$victim"
		fsfreeze -u disk
		wait "$victim"
		umount disk
	fi
fi

# in state D for short times, among threads that have nothing to do: that comes first
"$oracles/held_among_idle" &
victim=$!
all_sleep() { [ "$(cat /proc/"$victim"/task/*/status | grep -c '^State:.[SD]')" = 4 ]; }
await 20 all_sleep
# It may run, or stand in a run queue, when the recording ends: then again. How long its last wait has
# lasted then decides whether the line says that it hangs.
of_victim="^\(Now: \)\{0,1\}held_among_idle\[$victim\] .*\(waits for its child\|(in state D)\)"
for _ in 1 2 3 4 5 6 7 8; do
	COLUMNS=80 "$FTWAIT" why -d 0.8 "$victim" > why 2> errors
	grep -q "$of_victim" why && break
done
expect "held among idle: first" [ "$(sed -n '/^Summary$/{n;p;}' why | grep -c "$of_victim")" = 1 ]
expect "held among idle: the others" grep -q '^Now: held_among_idle\[[0-9]*\] (and 2 more) ' why
ends "$victim"

# a sleep for events may be idleness, or a client's wait for an answer: why does not choose
if command -v bash > /dev/null; then
	mkfifo answer
	bash -c 'exec 3<> answer; read -t 20 x <&3' &
	victim=$!
	in_select() { grep -q do_select "/proc/$victim/stack"; }
	await 20 in_select
	COLUMNS=80 "$FTWAIT" why -d 0.5 "$victim" > why 2> errors
	expect "for events: why" matches 'Idle, or waiting for an answer: 100 % of the time it waited for events' why
	ends "$victim"
fi

# what does not hang is not said to
sleep 30 &
victim=$!
"$FTWAIT" why -d 0.5 "$victim" > why 2> errors
expect "a sleeper: why" matches 'Asleep: .* % of the time it slept by choice; nothing shows' why
expect "a sleeper does not hang" [ "$(grep -c -e ' hangs since' -e 'has hung' -e 'Deadlock' why)" = 0 ]
ends "$victim"
expect "no such process" [ "$("$FTWAIT" why -d 0.1 "$victim" 2> errors; echo $?)" = 1 ]
finish
