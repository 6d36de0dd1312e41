#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory ends in the middle of a recording: one line, and the instance is removed all the same.
. "$(dirname "$0")/prelude.sh"

need prlimit

record -e syscalls -d 30 -o a.dat
begun
prlimit --pid "$recorder" --as=1
dd if=/dev/zero of=/dev/null bs=1 count=200000 status=none
kill -INT "$recorder"
ended
expect "status 1" [ $status -eq 1 ]
expect "one line" [ "$(lines)" = 1 ]
expect "which says why" said '^ftwait: record: out of memory'
"$FTWAIT" record --repair a.dat 2>> errors
expect "what was recorded is kept" is_datfile a.dat
finish
