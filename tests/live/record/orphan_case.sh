#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# COMMAND is not left behind where recording fails: it is waited for, and Ctrl-C reaches it.
. "$(dirname "$0")/prelude.sh"

mkdir disk
mount -t tmpfs -o size=2m tmpfs disk || { echo "cannot mount a tmpfs"; exit 77; }

record -e syscalls -o disk/a.dat -- sh -c \
	'dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none; sleep 1; echo done > finished'
ended
expect "status 1" [ $status -eq 1 ]
expect "it was waited for" [ -e finished ]
expect "one line" [ "$(lines)" = 1 ]
expect "which says so" said "cannot write to disk/a.dat: No space left .*; waiting for sh\[[0-9]*\] to end$"

rm disk/*
record -e syscalls -o disk/b.dat -- sh -c \
	'dd if=/dev/zero of=/dev/null bs=1 count=100000 status=none; exec sleep 30'
expect "the failure is told when it happens" await 20 said 'waiting for'
kill -TERM "$recorder"
expect "the signal is passed on, and ends both" await 20 has_ended "$recorder"
ended
expect "status 1 still" [ $status -eq 1 ]
finish
