#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What begins in which order: COMMAND runs when tracing is on; tasks that were there before are known, with
# the time at which they were read where that is one of the trace.
. "$(dirname "$0")/prelude.sh"

cp "$(command -v sleep)" early
./early 60 &
sleeper=$!
sh -c 'while :; do sleep 0.002; done' &
busy=$!

record -e sched -o a.dat -- sh -c "cat $tracing/instances/ftwait.\$PPID/tracing_on > on"
ended
expect "status 0" [ $status -eq 0 ]
expect "tracing was on" [ "$(cat on)" = 1 ]
record -e sched -p $sleeper -d 300ms -o a.dat
ended
expect "status 0" [ $status -eq 0 ]
expect "who sleeps is in the file" grep -q -a "^task $sleeper $sleeper S - early\$" a.dat
expect "who is busy too" grep -q -a "^task $busy $busy . - sh\$" a.dat
expect "threads of the kernel too" grep -q -a "^task 2 2 . k kthreadd\$" a.dat
expect "when that was read is in the file" grep -q -a '^read [1-9]' a.dat
"$FTWAIT" report --waits --format csv a.dat > waits
expect "it sleeps from begin to end" grep -q "^[0-9]*,[0-9]*,,early,$sleeper,$sleeper,S,true," waits
record -e sched --clock boot -d 300ms -o b.dat
ended
expect "status 0" [ $status -eq 0 ]
expect "who sleeps is in the file" grep -q -a "^task $sleeper $sleeper S - early\$" b.dat
expect "read before the begin" sh -c '! grep -q -a "^read [1-9]" b.dat'
kill $sleeper $busy
finish
