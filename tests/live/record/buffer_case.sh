#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Buffers are not taken without a ceiling, unless by force.
. "$(dirname "$0")/prelude.sh"

free=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
[ -n "$free" ] || { echo "this kernel does not tell MemAvailable"; exit 77; }

record -b "$free"K -o a.dat true
ended
expect "all the free memory for each CPU: status 1" [ $status -eq 1 ]
expect "one line" [ "$(lines)" = 1 ]
expect "with the mend" said 'more than half of the free memory; take at most [0-9.]* .iB with -b, or use --force$'
expect "no file" [ ! -e a.dat ]
record -b 0 -o a.dat true
ended
expect "no buffer at all: status 2" [ $status -eq 2 ]
expect "and says so" said 'no recording without a buffer (-b 0)'
record -b 32M --force -o b.dat true
ended
expect "by force: status 0" [ $status -eq 0 ]
finish
