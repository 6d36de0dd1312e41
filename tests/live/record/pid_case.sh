#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -p ends when the tasks have ended; a task that does not exist is an error.
. "$(dirname "$0")/prelude.sh"

sleep 1 &
task=$!
record -o a.dat -p $task
ended
expect "status 0" [ $status -eq 0 ]
expect "a trace.dat" is_datfile a.dat
expect "the pid is in the file" grep -q -a "^pids $task\$" a.dat
sleep 60 &
task=$!
wchan=$(cat /proc/$task/wchan 2> /dev/null)
record -o c.dat -p $task -d 300ms
ended
kill $task
if [ "${wchan:-0}" != 0 ]; then
	expect "where it sleeps is in the file" grep -q -a "^place $task .*$wchan" c.dat
	expect "and where it sleeps at the end" grep -q -a "^end-place $task .*$wchan" c.dat
	expect "the report tells it" sh -c '"$FTWAIT" report c.dat | grep -q "its own sleep, still waiting at the end"'
fi
sh -c 'sleep 0.5 & echo $! > zombie; exec sleep 60' &
parent=$!
await 20 test -s zombie
zombie=$(cat zombie)
await 20 grep -q "^State:.Z" "/proc/$zombie/status"
await 20 grep -q sleep "/proc/$parent/comm"
record -o d.dat -p $zombie -d 100ms
ended
kill $parent
expect "a warning of the zombie" said "sleep\[$zombie\] is a zombie: its parent sleep\[$parent\] has not waited for it"
record -o b.dat -p 999999999
ended
expect "status 1" [ $status -eq 1 ]
expect "one line" said 'no process 999999999'
finish
