#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Three programs that stand still, each reading from a pipe what the last of them never writes, are
# told as a likely deadlock; three of which one does something else are none.
. "$(dirname "$0")/prelude.sh"

[ -e "$tracing/events/ftrace/kernel_stack" ] || { echo "the kernel has no stacks"; exit 77; }

cat > stage.sh <<- 'END'
	# FROM TO WHAT: hands on what comes, four times; the first begins, and at last keeps what it has
	exec 3<> "$1" 4<> "$2"
	for round in 1 2 3 4; do
		[ "$3" = follow ] || echo "$round" >&4
		read -r line <&3
		sleep 0.02
		[ "$3" != follow ] || echo "$line" >&4
	done
	: > "stuck.$1"
	[ "$3" != idle ] || exec sleep 20
	read -r line <&3
END
cat > ring.sh <<- 'END'
	# WHAT: of the first
	timeout 20 sh stage.sh a b "$1" &
	echo $! > stages
	timeout 20 sh stage.sh b c follow &
	echo $! >> stages
	timeout 20 sh stage.sh c a follow &
	echo $! >> stages
	wait
END
mkfifo a b c

all_stand_still() {
	[ -e stuck.a ] && [ -e stuck.b ] && [ -e stuck.c ]
}

ring_record() { # WHAT [OPTION]: WHAT the first does
	# shellcheck disable=SC2086 # an option, or none
	record --stacks -e sched $2 -o ring.dat -- sh ring.sh "$1"
	expect "$1: all stand still" await 20 all_stand_still
	# for longer than a second, which is a hang
	sleep 1.2
	kill -TERM "$recorder"
	ended
	rm stuck.*
	while read -r stage; do kill "$stage"; done < stages
	"$FTWAIT" report --summary ring.dat > text 2>> errors
}

# where the kernel leaves out switches of the recording, who woke whom is not known: then again
for _ in 1 2 3; do
	ring_record begin ""
	grep -q deadlock text && break
done
expect "a deadlock" grep -q '^Likely deadlock: sh stage.sh\[.*\] waits at a pipe for sh stage.sh\[.*\], sh stage.sh\[.*\] waits at a pipe for sh stage.sh' text
# without what the recorder sees, the wake-ups still suggest it
for _ in 1 2 3; do
	ring_record begin --no-snapshot
	grep -q deadlock text && break
done
expect "a deadlock by its wake-ups" grep -q '^Likely deadlock: sh\[.*\] behind sh\[.*\] behind sh\[' text
ring_record idle ""
expect "no deadlock" [ "$(grep -c deadlock text)" -eq 0 ]
finish
