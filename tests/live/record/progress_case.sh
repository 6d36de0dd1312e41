#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# On a terminal one line tells how far it is, and is gone in the end; elsewhere, and with -q, none.
. "$(dirname "$0")/prelude.sh"

need script

# All of them last some seconds, as the line is drawn once a second, so they run at the same time.
sessions=
# on_terminal NAME COLUMNS COMMAND: in the background; what the terminal gets goes to the file NAME, a line for
# each carriage return
on_terminal() {
	script -qec "stty cols $2; $3" /dev/null < /dev/null | tr '\r' '\n' > "$1" &
	sessions="$sessions $!"
}

# shown NAME COLUMNS ARGUMENT...: of record
shown() {
	name=$1 columns=$2
	shift 2
	on_terminal "$name" "$columns" "\"$FTWAIT\" record $*"
}

# report_of NAME WORD...: for a shell, behind the recorder
report_of() {
	name=$1
	shift
	on_terminal "$name" 80 "\"$FTWAIT\" record -q -o - -d 2500ms | $*"
}

shown duration 80 -o a.dat -d 2500ms
shown command 80 -o b.dat -- sleep 2.5
shown narrow 40 -o c.dat -d 2500ms
# ended with SIGINT, as a terminal sends it for Ctrl-C
shown signal 44 -o "'my run.dat'" '& sleep 3; kill -INT $!; wait $!'
shown quiet 80 -q -o d.dat -d 2500ms
report_of report "\"$FTWAIT\" report --no-pager -"
report_of quiet_report "\"$FTWAIT\" report -q --no-pager -"
report_of redirected "\"$FTWAIT\" report --no-pager - 2> errors"
"$FTWAIT" record -o e.dat -d 2500ms 2> piped
# shellcheck disable=SC2086 # several
wait $sessions

expect "how much of how much" grep -q '^ftwait: recording, [12] s of 2\.5 s, ' duration
expect "size, rate and events" grep -q ', [0-9.]* [KM]*i*B, [0-9.]* [KM]*i*B/s, [0-9,]* events' duration
expect "the line is wiped" grep -qE '^ +$' duration
expect "the closing line begins a line" grep -q '^\[ ftwait: .* -> a\.dat \]$' duration
expect "what to do then" grep -q '^now: ftwait report a\.dat$' duration
expect "no word of Ctrl-C, as -d ends it" [ "$(grep -c 'Ctrl-C' duration)" = 0 ]
expect "no escape sequences" [ "$(grep -c "$(printf '\033')" duration)" = 0 ]
expect "COMMAND's name" grep -q '^ftwait: recording sleep, [12] s, ' command
expect "no wider than the terminal" [ -z "$(grep '^ftwait: ' narrow | grep -E '^.{40}')" ]
expect "but shown" grep -q '^ftwait: recording, [12] s of 2\.5 s' narrow
expect "how to end it, also where there is little room" \
	grep -qE '^ftwait: recording, [1-3] s, Ctrl-C ends i' signal
expect "the name quoted" grep -qF 'now: ftwait report my\ run.dat' signal
expect "nothing with -q" [ -z "$(tr -d '\n' < quiet)" ]
expect "one line in a pipe" [ "$(wc -l < piped)" = 1 ]
expect "no hint in a pipe" [ "$(grep -c '^now:' piped)" = 0 ]
expect "no progress in a pipe" [ "$(grep -c 'recording' piped)" = 0 ]

# report, of what still comes through a pipe
expect "how much of the recording has come" \
	grep -q '^ftwait: receiving the recording, [12] s so far, [0-9.]* [KM]*i*B, ' report
expect "then the report" grep -q ' events in ' report
expect "nothing with -q, but the report" [ "$(grep -c receiving quiet_report)" = 0 ]
expect "which is there" grep -q ' events in ' quiet_report
expect "nothing where standard error is no terminal" [ ! -s errors ]
finish
