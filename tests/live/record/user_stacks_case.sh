#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --stacks=user, --profile: stacks of programs and ticks, in an instance and a buffer of their own,
# with what stands at their addresses; and which stacks of the kernel are recorded beside them.
. "$(dirname "$0")/prelude.sh"

need trace-cmd
[ -e "$tracing/events/ftrace/user_stack" ] || { echo "the kernel has no stacks of programs"; exit 77; }
[ -e "$tracing/options/userstacktrace" ] || { echo "no option userstacktrace"; exit 77; }
case $(uname -m) in
x86_64 | i?86 | s390x) ;;
*)
	echo "no stacks of programs on $(uname -m)"
	exit 77
	;;
esac

# versions FILE: the lines that ftwait adds of address maps and ticks
versions() {
	grep -a -E '^(file [0-9]+ [0-9a-f-]+ .|maps [0-9]+ [0-9]+$|map [0-9a-f]+ [0-9a-f]+ |jit |tick )' "$1"
}

# of_buffer EVENT: events of that name of the third buffer, as trace-cmd shows them
of_buffer() {
	grep -c "^stacks:.* $1:" text
}

record --stacks=user -e sched -o a.dat -- sh -c '
	for i in 1 2 3; do sleep 0.05; env true; done; until [ -e seen ]; do sleep 0.05; done'
begun
expect "a third instance" [ -d "$tracing/instances/ftwait.$recorder.stacks" ]
touch seen
ended
expect "which is removed" [ ! -e "$tracing/instances/ftwait.$recorder.stacks" ]
expect "a trace.dat" is_datfile a.dat
expect "no complaint of trace-cmd" [ ! -s warnings ]
trace-cmd report a.dat > text 2> warnings
expect "stacks of programs" [ "$(of_buffer user_stack)" -gt 5 ]
expect "no ticks" [ "$(of_buffer hrtimer_expire_entry)" -eq 0 ]
expect "stacks of sleepers" grep -q -e '=> *schedule' text
expect "of wakers, too" grep -q -e '=> *try_to_wake_up' text
versions a.dat > lines
expect "the program" grep -q '^file .*/sleep$' lines
expect "a library and its build id" grep -q '^file [0-9]* [0-9a-f]\{16,\} .*/libc' lines
expect "address maps" [ "$(grep -c '^maps ' lines)" -gt 3 ]
expect "it is read" "$FTWAIT" report a.dat > /dev/null
expect "and not damaged" sh -c '! "$0" report a.dat 2>&1 | grep -i damaged' "$FTWAIT"

record --stacks=sleep -e sched -o b.dat -- sleep 0.1
ended
trace-cmd report b.dat > text 2> warnings
expect "sleep: of sleepers" grep -q -e '=> *schedule' text
expect "sleep: not of wakers" sh -c '! grep -e "=> *try_to_wake_up" text'
expect "sleep: nothing of programs" [ "$(of_buffer user_stack)" -eq 0 ]

record --stacks=wake -e sched -o c.dat -- sleep 0.1
ended
trace-cmd report c.dat > text 2> warnings
expect "wake: of wakers" grep -q -e '=> *try_to_wake_up' text
# a timer's interrupt that wakes may have come while a sleeper went to sleep: its stack has both
expect "wake: not of sleepers" awk '
	function judge() { bad += of && !wakes; of = wakes = 0 }
	/kernel_stack:/ { judge(); of = 1; next }
	of && /=>/ { wakes += /try_to_wake_up|wake_up_new_task/; next }
	{ judge() }
	END { judge(); exit bad > 0 }' text

"$FTWAIT" record --stacks=sleep,naps -o d.dat -- true 2> errors
expect "a wrong word: status 2" [ $? -eq 2 ]
expect "which is named" said 'naps'
"$FTWAIT" record --profile=fast -o d.dat -- true 2> errors
expect "a wrong rate: status 2" [ $? -eq 2 ]

# the tick is a timer of its own function, where root may see its address
if grep -q -E '^0*[1-9a-f][0-9a-f]* . (tick_nohz_handler|tick_sched_timer|tick_nohz_highres_handler)$' \
	/proc/kallsyms; then
	record --profile=77 -e sched -o e.dat -- \
		sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
	ended
	expect "the rate is told" said 'times a second: no other rate'
	trace-cmd report e.dat > text 2> warnings
	ticks=$(of_buffer hrtimer_expire_entry)
	expect "ticks" [ "$ticks" -gt 5 ]
	expect "of the program alone" sh -c '! grep "^stacks: *<idle>" text'
	expect "stacks of the program" [ "$(of_buffer user_stack)" -ge $((ticks / 2)) ]
	expect "and of the kernel" [ "$(of_buffer kernel_stack)" -ge $((ticks / 2)) ]
	expect "no switches there" [ "$(of_buffer sched_switch)" -eq 0 ]
	expect "functions have names" grep -q -e '=> *hrtimer_interrupt' text
	expect "no other stacks" sh -c '! grep -q -e "=> *try_to_wake_up" text'
	"$FTWAIT" report e.dat --on-cpu --format csv > csv 2> warnings
	samples=$(awk -F, '/^# / { table = $0; next } table == "# on_cpu.tasks" { sum += $5 } END { print sum + 0 }' csv)
	expect "on-cpu: these ticks" [ "$samples" -le "$ticks" ]
	expect "on-cpu: nearly all of them" [ "$samples" -ge $((ticks * 8 / 10)) ]
	expect "on-cpu: divided, none lost" awk -F, -v samples="$samples" '/^# / { table = $0; next }
		table == "# on_cpu.functions" { sum += $5 } END { exit sum != samples }' csv
	expect "how many a second" sh -c 'strings -n 5 e.dat | grep -q "^tick [1-9][0-9]*$"'
fi

sleep 30 &
other=$!
record --stacks=user --profile -e sched -o f.dat -p $other
begun
hold .stacks
expect "something is written" await 30 has_events f.dat
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
left=$tracing/instances/ftwait.$recorder.stacks
expect "killed: the third instance is left" [ -d "$left" ]
expect "and does not trace" [ "$(cat "$left/tracing_on")" = 0 ]
expect "the stream is read" "$FTWAIT" report f.dat > /dev/null
let_go
"$FTWAIT" cleanup 2> errors > /dev/null
expect "cleanup removes it" [ ! -e "$left" ]
"$FTWAIT" record --repair f.dat 2> errors
expect "--repair: status 0" [ $? -eq 0 ]
expect "for trace-cmd, too" sh -c 'trace-cmd report f.dat > /dev/null 2> warnings; [ ! -s warnings ]'
kill $other

record --stacks=user --profile -e sched -o g.dat -- sleep 30
begun
kill -INT "$recorder"
ended
expect "a signal leaves no third instance" [ ! -e "$tracing/instances/ftwait.$recorder.stacks" ]
expect "and a file" is_datfile g.dat
finish
