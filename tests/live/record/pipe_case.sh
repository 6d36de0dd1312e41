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
finish
