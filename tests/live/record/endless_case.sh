#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Input that never ends: refused at once, ended where the trace ends, or where TMPDIR has no room.
. "$(dirname "$0")/prelude.sh"

mkdir disk
mount -t tmpfs -o size=20m tmpfs disk || { echo "cannot mount a tmpfs"; exit 77; }
TMPDIR=$scratch/disk
export TMPDIR

report() {
	timeout 60 "$FTWAIT" report "$@" > report.txt 2> errors
	status=$?
}

record -o - -d 100ms > a.stream
ended
record -o a.dat -d 100ms
ended

yes | { report -; echo $status > status; }
expect "endless text: status 1" [ "$(cat status)" = 1 ]
expect "endless text: what it is" said '^ftwait: report: -: not a trace.dat'
report /dev/zero
expect "a device: status 1" [ $status -eq 1 ]
expect "a device: what it is" said '^ftwait: report: /dev/zero: not a trace.dat'

{ cat a.dat; yes; } | { report -; echo $status > status; }
expect "an endless file: status 1" [ "$(cat status)" = 1 ]
expect "an endless file: where, and the mend" said "left in $TMPDIR; set TMPDIR to a directory with"
expect "an endless file: one line" [ "$(lines)" = 1 ]

{ cat a.stream; yes; } | { report - --strict; echo $status > status; }
expect "an endless stream: status 3" [ "$(cat status)" = 3 ]
expect "an endless stream: what follows" \
	grep -q "from byte $(wc -c < a.stream) on belongs to no part" report.txt
{ cat a.stream; cat /dev/zero; } | { report - --strict; echo $status > status; }
expect "zeros behind a stream: status 0" [ "$(cat status)" = 0 ]
finish
