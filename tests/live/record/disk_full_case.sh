#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A full disk ends the recording with one line; what was written is kept.
. "$(dirname "$0")/prelude.sh"

need trace-cmd
mkdir disk
mount -t tmpfs -o size=9m tmpfs disk || { echo "cannot mount a tmpfs"; exit 77; }

record -e syscalls -o disk/a.dat -- dd if=/dev/zero of=/dev/null bs=1 count=200000 status=none
ended
expect "status 1" [ $status -eq 1 ]
expect "one line that names file and reason" said '^ftwait: cannot write to disk/a.dat: No space left'
expect "one line only" [ "$(lines)" = 1 ]
expect "the recorder has made it a trace.dat" is_datfile disk/a.dat
expect "no larger than it looks" [ "$(stat -c %s disk/a.dat)" -lt 9500000 ]
cp disk/a.dat .
"$FTWAIT" record --repair a.dat 2> errors
"$FTWAIT" report --strict a.dat > report 2>> errors
expect "it says that it is not whole" [ $? -eq 3 ]
expect "what is there can be read" [ "$(trace_events a.dat)" -gt 1000 ]

# leave KIB: fills the disk but for that
leave() {
	rm -f disk/*
	free=$(df --output=avail -k disk | tail -n 1)
	dd if=/dev/zero of=disk/filler bs=1K count=$((free - $1)) status=none
}

# more than half of the disk: the pages are not written twice. How much a call of the command takes
# depends on what else runs; the disk that is full of records, or less than half, proves nothing.
calls=40000 tries=12
while [ $tries -gt 0 ]; do
	tries=$((tries - 1))
	rm -f disk/*
	record -e syscalls -o disk/once.dat -- dd if=/dev/zero of=/dev/null bs=1 count=$calls status=none
	ended
	if said '^ftwait: cannot write to disk/once.dat: No space left'; then
		calls=$((calls * 3 / 4))
	elif [ $status -eq 0 ] && [ "$(stat -c %s disk/once.dat)" -le 5000000 ]; then
		calls=$((calls * 4 / 3))
	else
		break
	fi
done
expect "room for the pages once: status 0" [ $status -eq 0 ]
expect "more than half of the disk" [ "$(stat -c %s disk/once.dat)" -gt 5000000 ]
expect "it is a trace.dat" is_datfile disk/once.dat
expect "with all events" [ "$(trace_events disk/once.dat)" = "$(told events)" ]
expect "and no holes" [ "$(stat -c %b disk/once.dat)" -ge $(($(stat -c %s disk/once.dat) / 512)) ]

# the stream has room, and its head once more has none: how large that is depends on what else runs
for room in 40 50 60 70 80 90 100 120 140 160 180 200; do
	leave $room
	record -e signal -o disk/b.dat true
	ended
	said 'recording ended' || [ ! -e disk/b.dat ] || break
done
expect "no room for the head twice: status 1" [ $status -eq 1 ]
expect "it stays a stream" is_stream disk/b.dat
expect "which is said" said '^ftwait: cannot make disk/b.dat a trace.dat: .*stays a stream'
"$FTWAIT" report --strict disk/b.dat > report 2>> errors
expect "but nothing of it is damaged" [ $? -eq 0 ]
expect "nothing else is left" [ "$(echo disk/*)" = "disk/b.dat disk/filler" ]

# not even the head fits: COMMAND, still held back, must not keep the instance alive
leave 16
record -o disk/c.dat sleep 5
ended
expect "no room at all: status 1" [ $status -eq 1 ]
expect "no instance is left" [ ! -e "$tracing/instances/ftwait.$recorder" ]
expect "nor a file" [ ! -e disk/c.dat ]
finish
