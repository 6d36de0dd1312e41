#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A reader that is stuck blocks the recorder; the second signal ends it at once all the same.
. "$(dirname "$0")/prelude.sh"

mkfifo stuck
sh -c 'exec sleep 30' < stuck &
reader=$!
record -o stuck
# in a write to a pipe that is full
is_stuck() {
	grep -q pipe_write "/proc/$recorder/task"/*/stack
}
expect "it is stuck" await 30 is_stuck
kill -TERM "$recorder"
sleep 0.5
expect "the first signal waits for the reader" kill -0 "$recorder"
start=$(date +%s)
kill -TERM "$recorder"
ended
expect "the second does not" [ $(($(date +%s) - start)) -le 2 ]
expect "status 1" [ $status -eq 1 ]
expect "one line" [ "$(lines)" = 1 ]
kill $reader
finish
