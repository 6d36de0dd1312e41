#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Units that are system calls: those of a client whose server has a socket of the machine, and so no requests that
# are known (oracles/rare_cause.c), and those of a writer (oracles/rare_sync.c). --tail finds what is planted in them.
. "$(dirname "$0")/planted.sh"

# a socket of the machine: no requests are known, and it says so
planted unix rare_cause lock 800 2 unix
"$FTWAIT" report unix.dat --tail --per request > text 2> errors
expect "no requests is a failure" [ $? -eq 1 ]
expect "that says so" said 'no request of a TCP connection was served or sent'
expect "by default, it says what else there is" sh -c '"$0" report unix.dat --tail | grep -q "syscall:NAME"' "$FTWAIT"
shown unix call 800 --per syscall:read --comm client
# of which each waits for the server, whatever that does
is_among unix lock "$(behind server)"

# the kernel's lock of a file
planted sync rare_sync lock 800 3
shown sync call 800 --per 'syscall:pwrite*' --comm writer
is_found sync lock "$(behind filler) and .chain[0].aim.kind == \"lock\""

# whoever is in the way of these, what they wait for is the disk
planted disk rare_sync disk 500 4
shown disk call 500 --per 'syscall:fsync*' --comm writer
# each of them waits for the disk, so that as such is not rare
jq '.tail.reasons |= map(.named = true)' disk.json > all.json && mv all.json disk.json
is_among disk disk '.chain[0].aim.kind == "disk" or (.leaf // "" | contains("disk"))'
finish
