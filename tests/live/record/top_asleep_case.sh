#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# top -p of a task that sleeps by its own choice, and of one that is stopped, says so.
. "$(dirname "$0")/prelude.sh"

sleep 1000 &
sleeper=$!
trap 'kill -9 $sleeper 2> /dev/null; scratch_remove' EXIT
"$FTWAIT" top -b -n 2 -p $sleeper > out 2> errors
expect "asleep: status 0" [ $? = 0 ]
expect "asleep: it says so" grep -q "^LONGEST  sleep\[$sleeper\] asleep for over [0-9.]* s: timer" out
expect "asleep: in place of rows, too" [ "$(grep -c "^(nothing ran: 1 task asleep)$" out)" = 2 ]
kill -STOP $sleeper
"$FTWAIT" top -b -n 2 -p $sleeper > out 2> errors
expect "stopped: status 0" [ $? = 0 ]
expect "stopped: it says so" grep -q "^LONGEST  sleep\[$sleeper\] stopped for over [0-9.]* s" out
expect "stopped: in place of rows, too" [ "$(grep -c "^(nothing ran: 1 task stopped)$" out)" = 2 ]
finish
