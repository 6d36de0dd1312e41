#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# why of a process that waits for a lock of a file: what it waits for, and which process has that.
. "$(dirname "$0")/../record/prelude.sh"

need flock
: > lock
flock -F lock sleep 60 &
holder=$!
await 20 grep -q "FLOCK.* $holder " /proc/locks
flock -F lock true &
victim=$!
await 20 grep -q "> FLOCK.* $victim " /proc/locks
"$FTWAIT" why -d 500ms "$victim" > why 2> errors
expect "status 0" [ $? -eq 0 ]
tr -s '\n ' ' ' < why > line
expect "the file, and who has it: $(head -n 6 why)" \
	grep -q "waits for a flock on $scratch/lock, held by sleep\[$holder\]" line
expect "no instance is left" [ -z "$(find "$tracing/instances" -maxdepth 1 -name "ftwait.$!*")" ]
kill "$holder"
wait
finish
