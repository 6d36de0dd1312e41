#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# System calls with COMMAND or -p: those of these tasks and what they fork, in a second instance and
# in the same file; everything else is of the whole machine. Without either they are of all.
# alone: looks at what a killed recorder leaves, which any other recorder removes
. "$(dirname "$0")/prelude.sh"

need trace-cmd

# calls_of NAME FILE: tasks of that name have made system calls
calls_of() {
	"$FTWAIT" report --syscall --all --format csv "$2" 2> /dev/null | cut -d, -f2 | grep -qx "$1"
}

no_calls_of() {
	! calls_of "$@"
}

sh -c 'while :; do cat /dev/null; sleep 0.01; done' &
other=$!
record -e sched,syscalls -o a.dat -- sh -c '
	env true; until [ -e seen ]; do sleep 0.05; done; head -c1 /dev/zero > /dev/null'
begun
expect "a second instance" [ -d "$tracing/instances/ftwait.$recorder.syscalls" ]
touch seen
ended
expect "which is removed" [ ! -e "$tracing/instances/ftwait.$recorder.syscalls" ]
expect "a trace.dat" is_datfile a.dat
expect "what trace-cmd counts is in the file" [ "$(trace_events a.dat)" = "$(told events)" ]
expect "no complaint of trace-cmd" [ ! -s warnings ]
expect "no call of others" no_calls_of cat a.dat
expect "calls of COMMAND's children" calls_of head a.dat

record -e sched,syscalls -o b.dat -d 500ms -p $other
ended
expect "-p: calls of its children" calls_of cat b.dat
expect "-p: of the task itself" calls_of sh b.dat

record -e sched,syscalls -o c.dat
begun
expect "no second instance for all tasks" [ ! -e "$tracing/instances/ftwait.$recorder.syscalls" ]
expect "calls are recorded" await 30 calls_of cat c.dat
kill -INT "$recorder"
ended
expect "calls of all" calls_of cat c.dat

record -e sched,syscalls -o d.dat -p $other
begun
hold .syscalls
expect "the stream has calls" await 30 calls_of cat d.dat
kill -9 "$recorder"
wait "$recorder" 2> /dev/null
left=$tracing/instances/ftwait.$recorder.syscalls
expect "killed: the second instance is left" [ -d "$left" ]
expect "and does not trace" [ "$(cat "$left/tracing_on")" = 0 ]
expect "the stream is read" calls_of cat d.dat
let_go
"$FTWAIT" cleanup 2> errors > /dev/null
expect "cleanup removes it" [ ! -e "$left" ]
expect "and the first one" [ ! -e "$tracing/instances/ftwait.$recorder" ]
"$FTWAIT" record --repair d.dat 2> errors
expect "--repair: status 0" [ $? -eq 0 ]
expect "--repair keeps the calls" calls_of cat d.dat
expect "for trace-cmd, too" sh -c 'trace-cmd report d.dat 2> /dev/null | grep -q sys_enter:'
kill $other
# the recorder finds the program before it records: no failed attempts in the folders of PATH
mkdir -p empty other
FOUND_BY=$PATH
PATH=$scratch/empty:$scratch/other:$PATH record -q -e syscall -o found.dat -- true
ended
PATH=$FOUND_BY
"$FTWAIT" report found.dat --syscall=execve --top 0 --json > json 2> errors
expect "one execve" [ "$(grep -o '"name": *"execve"' json | wc -l)" -ge 1 ]
expect "no failed execve" [ "$(grep -c 'ENOENT\|"-2"' json)" = 0 ]

finish
