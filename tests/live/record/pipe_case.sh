#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -o -: standard output gets the stream and nothing else; a reader that goes away is no hang.
. "$(dirname "$0")/prelude.sh"

need trace-cmd

record -o - -d 300ms > a.dat
ended
expect "status 0" [ $status -eq 0 ]
expect "a stream" is_stream a.dat
"$FTWAIT" record -o - -d 300ms 2> errors | cat > b.dat
expect "a stream through a pipe" is_stream b.dat
events=$(told events)
"$FTWAIT" record --repair b.dat 2>> errors
expect "all of it" [ "$(trace_events b.dat)" = "$events" ]
"$FTWAIT" record -o - true 2> errors >> a.dat
expect "appending" [ $? -eq 0 ]

{ "$FTWAIT" record -o - -d 20 2> errors; echo $? > status; } | head -c 1000 > /dev/null
expect "broken pipe: status 1" [ "$(cat status)" = 1 ]
expect "one line" said '^ftwait: cannot write to standard output: Broken pipe'

# memory that is refused is a bound like any other: who drains the buffers waits for the output
mkfifo fifo
(
	# shellcheck disable=SC3045
	ulimit -v 48000
	exec env --default-signal "$FTWAIT" record -e syscalls -o fifo -- \
		dd if=/dev/zero of=/dev/null bs=1 count=600000 status=none 2> errors
) &
recorder=$!
(sleep 3; exec cat > c.dat) < fifo
ended
expect "no memory while the pipe is stalled: status 0" [ $status -eq 0 ]
"$FTWAIT" record --repair c.dat 2>> errors
expect "all that was told" [ "$(trace_events c.dat)" = "$(told events)" ]
finish
