#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# On a terminal one line tells how far it is, and is gone in the end; elsewhere, and with -q, none.
. "$(dirname "$0")/prelude.sh"

need script

# shown COLUMNS ARGUMENT...: what a terminal of so many columns gets, a line for each carriage return
shown() {
	columns=$1
	shift
	script -qec "stty cols $columns; \"$FTWAIT\" record $*" /dev/null < /dev/null | tr '\r' '\n' > screen
}

shown 80 -o a.dat -d 2500ms
expect "how much of how much" grep -q '^ftwait: recording, 1 s of 2\.5 s, ' screen
expect "size, rate and events" grep -q ', [0-9.]* [KM]*i*B, [0-9.]* [KM]*i*B/s, [0-9,]* events' screen
expect "the line is wiped" grep -qE '^ +$' screen
expect "the closing line begins a line" grep -q '^\[ ftwait: .* -> a\.dat \]$' screen
expect "what to do then" grep -q '^now: ftwait report a\.dat$' screen
expect "no word of Ctrl-C, as -d ends it" [ "$(grep -c 'Ctrl-C' screen)" = 0 ]
expect "no escape sequences" [ "$(grep -c "$(printf '\033')" screen)" = 0 ]
shown 80 -o b.dat -- sleep 1.5
expect "COMMAND's name" grep -q '^ftwait: recording sleep, 1 s, ' screen
shown 40 -o c.dat -d 1500ms
expect "no wider than the terminal" [ -z "$(grep '^ftwait: ' screen | grep -E '^.{40}')" ]
expect "but shown" grep -q '^ftwait: recording, 1 s of 1\.5 s' screen
# ended with SIGINT, as a terminal sends it for Ctrl-C
shown 44 -o "'my run.dat'" '& sleep 2.5; kill -INT $!; wait $!'
expect "how to end it, also where there is little room" \
	grep -qE '^ftwait: recording, [1-3] s, Ctrl-C ends i' screen
expect "the name quoted" grep -qF 'now: ftwait report my\ run.dat' screen
shown 80 -q -o d.dat -d 1500ms
expect "nothing with -q" [ -z "$(tr -d '\n' < screen)" ]
"$FTWAIT" record -o e.dat -d 1500ms 2> screen
expect "one line in a pipe" [ "$(wc -l < screen)" = 1 ]
expect "no hint in a pipe" [ "$(grep -c '^now:' screen)" = 0 ]
expect "no progress in a pipe" [ "$(grep -c 'recording' screen)" = 0 ]

# report, of what still comes through a pipe: how much has come
report_of() { # WORD...: for a shell, behind the recorder
	script -qec "stty cols 80; \"$FTWAIT\" record -q -o - -d 2500ms | $*" /dev/null < /dev/null |
		tr '\r' '\n' > screen
}
report_of "\"$FTWAIT\" report --no-pager -"
expect "how much of the recording has come" \
	grep -q '^ftwait: receiving the recording, [12] s so far, [0-9.]* [KM]*i*B, ' screen
expect "then the report" grep -q ' events in ' screen
report_of "\"$FTWAIT\" report -q --no-pager -"
expect "nothing with -q, but the report" [ "$(grep -c receiving screen)" = 0 ]
report_of "\"$FTWAIT\" report --no-pager - 2> errors"
expect "nothing where standard error is no terminal" [ ! -s errors ]
finish
