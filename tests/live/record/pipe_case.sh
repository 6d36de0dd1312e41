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

# The commands for a board of ftwait-record(1); a shell stands in for ssh and the board
ssh() { # BOARD WORD...: a shell there gets the words as one text
	shift
	sh -c "$*"
}
ssh root@board "$FTWAIT" record -o - -d 300ms 2> errors | "$FTWAIT" report - --json > board.json
expect "reported where it arrives" grep -q '"events": *[1-9]' board.json
expect "the closing line arrives, too" told events
ssh root@board "$FTWAIT" record -o - -- sleep 0.2 > board.dat 2> errors
expect "kept where it arrives" is_stream board.dat
"$FTWAIT" report board.dat --json > board.json 2>> errors
expect "and reported, as of COMMAND" grep -q '"comm": *"sleep"' board.json

# what COMMAND prints would stand in its midst
"$FTWAIT" record -o - -- sh -c 'for i in 1 2 3; do echo "line $i"; sleep 0.1; done' 2> errors |
	cat > d.dat
expect "a command that prints: a stream" is_stream d.dat
expect "what it prints is on standard error" [ "$(grep -c '^line [123]$' errors)" = 3 ]
expect "which is said once" [ "$(grep -c 'standard output is the recording' errors)" = 1 ]
events=$(told events)
"$FTWAIT" report --strict -o /dev/null d.dat 2>> errors
expect "the stream is whole" [ $? -eq 0 ]
"$FTWAIT" record --repair d.dat 2>> errors
expect "with all events" [ "$(trace_events d.dat)" = "$events" ]
"$FTWAIT" record -o /dev/stdout -- echo printed 2> errors | cat > e.dat
expect "the same by another name" said '^printed$'
"$FTWAIT" report --strict -o /dev/null e.dat 2>> errors
expect "and whole, too" [ $? -eq 0 ]
"$FTWAIT" record -o - -- true 2>&1 | cat > f.dat
expect "errors into the stream are refused" grep -q '^ftwait: standard error goes where' f.dat

# who writes to the same pipe all the same costs a block at most, and that is told
{
	"$FTWAIT" record -o - -d 1500ms 2> errors &
	await 30 [ -s g.dat ] # its begin is there
	for _ in 1 2 3 4; do
		echo "from aside"
		sleep 0.2
	done
	wait $!
} | cat > g.dat
"$FTWAIT" report --strict g.dat > report 2>> errors
expect "bytes of others: damaged" [ $? -eq 3 ]
expect "and told" grep -q 'damaged: somebody else wrote to the same output: .*lost by it' report
"$FTWAIT" report --strict --json g.dat > g.json
read=$(sed -n 's/.*"events":  *\([0-9]*\).*/\1/p' g.json | head -n 1)
expect "most events are read ($read of $(told events))" [ "${read:-0}" -gt $(($(told events) / 2)) ]

{ "$FTWAIT" record -o - -d 20 2> errors; echo $? > status; } | head -c 1000 > /dev/null
expect "broken pipe: status 1" [ "$(cat status)" = 1 ]
expect "one line" said '^ftwait: cannot write to standard output: Broken pipe'

# a FIFO without a reader is told, and a signal ends the wait
mkfifo unread
record -o unread -d 1
expect "waiting is said" await 20 said 'waiting for somebody to read unread'
kill -INT "$recorder"
ended
expect "a signal ends it: status 1" [ $status -eq 1 ]
expect "with a line" said '^ftwait: nobody read unread until a signal came'

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
