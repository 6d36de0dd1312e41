#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that hang, each at something whose other end another program has: why names that end in one
# screen, a report of a recording of that process in its first lines, and top within its first interval after
# the recorder has looked.
. "$(dirname "$0")/prelude.sh"

need jq
oracle=$(dirname "$FTWAIT")/tests/live/oracles/hangs_now
[ -x "$oracle" ] || { echo "the oracles are not built"; exit 77; }

# says PATTERN FILE: its lines have it, joined
says() {
	tr '\n' ' ' < "$2" | grep -q -e "$1" && return
	echo "no '$1' in:"
	head -n 12 "$2"
	return 1
}

# is_asleep: the program is at its wait, or stopped
is_asleep() {
	read -r tid holder address < truth && grep -q '^State:.[STD]' "/proc/$tid/status"
}

fill() {
	echo "$1" | sed "s|TID|$tid|g; s|HOLDER|$holder|g; s|ADDRESS|$address|g; s|HERE|$scratch|g"
}

# looks_at KIND WHY TOP [AIM NAME]: as hang, of the program that has begun in this folder
looks_at() {
	kind=$1
	expect "$kind: hangs" await 20 is_asleep
	sleep 0.3
	"$FTWAIT" top -b -n 2 -i 1 -p "$tid" > blocks 2> errors.top &
	top=$!
	"$FTWAIT" top --json -n 2 -i 1 -p "$tid" > json 2> errors.json &
	json=$!
	COLUMNS=80 "$FTWAIT" why -d 1.2 -o ends.dat "$tid" > why 2> errors
	expect "$kind: why: status 0" [ $? -eq 0 ]
	wait $top
	wait $json
	COLUMNS=80 "$FTWAIT" report ends.dat 2> errors | sed '/^Look closer/q' > report
	expect "$kind: why" says "$(fill "$2")" why
	expect "$kind: report" says "$(fill "$2" | sed 's/^Now: //')" report
	expect "$kind: why: one screen" [ "$(wc -l < why)" -le 24 ]
	expect "$kind: top" says "$(fill "LONGEST *[^ ]*\\[TID\\] $3")" blocks
	case ${4:-}$3 in
	for-work*) ;;
	*behind\ other*)
		expect "$kind: top: a row" says "[1-9][0-9.]* m*s .* hangs_now  .* other" blocks
		expect "$kind: top: the head" says '| waiting for ' blocks
		;;
	esac
	[ $# -gt 3 ] || return
	# shellcheck disable=SC2016 # of jq
	jq -s -r '[.[].longest_open.aim | select(.)][-1] | "\(.kind) \(.name) \([.holders[].tid] | join(","))"' json > aim
	expect "$kind: aim" [ "$(cat aim)" = "$(fill "$4")" ]
}

# tries KIND WHY TOP [AIM NAME]: the same of a program that it begins, in a folder of its own, as they make files.
# What is wrong goes into the file "said"; there is a file "right" where nothing is
tries() (
	scratch=$scratch/$1 failures=0
	rm -rf "$scratch" && mkdir "$scratch" && cd "$scratch" || exit 1
	: > truth
	setsid "$oracle" "$1" > truth &
	group=$!
	trap 'kill -s KILL -- "-$group" 2> /dev/null' EXIT
	looks_at "$@" > said
	[ $failures -gt 0 ] || : > right
)

begun=0
trap 'wait; scratch_remove' EXIT

# hang KIND WHY TOP [AIM NAME]: the program hangs in that way; why and report say the first pattern, top the
# second, and in JSON the kind and the name of an aim. In them TID, HOLDER and ADDRESS are what the program says;
# HERE is its folder. Where top names another task, its rows and its head do not say that nothing waits. Three
# are tried side by side; the looks of so many recorders may not find all in time: one that fails is tried alone
hang() {
	[ ! -e "$1/right" ] || return
	tries "$@" &
	begun=$((begun + 1))
	if [ $is_alone = true ]; then
		wait
		cat "$1/said"
		expect "$1: alone" [ -e "$1/right" ]
	elif [ $((begun % 3)) -eq 0 ]; then
		wait
	fi
}

hangs() {
	# where a program polls or sends, the numbers of bytes differ
	hang stopped 'hangs_now\[TID\].* stopped' 'stopped for over'
	hang pipe_circle 'Likely deadlock: hangs_now\[TID\] waits for its child other\[HOLDER\], other\[HOLDER\] waits at a pipe for hangs_now\[TID\]' \
		'asleep .*: for wait4 of a child, behind other\[HOLDER\]' 'child null HOLDER'
	hang pipe 'hangs_now\[TID\] waits at a pipe for other\[HOLDER\], which has its other end open' \
		'asleep .*: for data from a pipe, behind other\[HOLDER\]' 'pipe null HOLDER'
	hang fifo 'hangs_now\[TID\] waits at the fifo HERE/ADDRESS for other\[HOLDER\], which has its other end open' \
		'asleep .*: for data from a pipe on HERE/ADDRESS, behind other\[HOLDER\]' 'pipe HERE/ADDRESS HOLDER'
	hang fifo_open 'hangs_now\[TID\] waits for the other end of a fifo on HERE/ADDRESS, which nobody has open' \
		'asleep .*: for the other end of a fifo on HERE/ADDRESS, which nobody has open' 'pipe HERE/ADDRESS '
	hang tty 'hangs_now\[TID\] waits for tty input on ADDRESS, other\[HOLDER\]' \
		'asleep .*: for tty input on ADDRESS, behind other\[HOLDER\]' 'for-work ADDRESS HOLDER'
	hang flock_left 'hangs_now\[TID\] hangs since .*: waits for a flock on HERE/ADDRESS, held by other\[HOLDER\]' \
		'asleep .*: lock flock HERE/ADDRESS, behind other\[HOLDER\]' 'lock HERE/ADDRESS HOLDER'
	hang posix 'hangs_now\[TID\] hangs since .*: waits for a lock (fcntl) on HERE/ADDRESS, held by other\[HOLDER\]' \
		'asleep .*: lock fcntl lock HERE/ADDRESS, behind other\[HOLDER\]' 'lock HERE/ADDRESS HOLDER'
	hang flock_tries 'hangs_now\[TID\] has hung for .*: waits for a flock on HERE/ADDRESS, held by other\[HOLDER\]' \
		'asleep .*: lock flock HERE/ADDRESS, behind other\[HOLDER\]' 'lock HERE/ADDRESS HOLDER'
	hang mutex_ended 'hangs_now\[TID\] hangs since .*: waits for the lock .*, which thread HOLDER had when it ended' \
		'asleep .*: lock.*, which thread HOLDER had when it ended' 'lock null '
	hang condition 'hangs_now\[TID\] waits for the condition variable 0x[0-9a-f]* to be signalled' \
		'asleep .*: for a condition variable' 'condition null '
	hang semaphore 'hangs_now\[TID\] waits for the semaphore 0x[0-9a-f]* to be posted' \
		'asleep .*: for a POSIX semaphore' 'semaphore null '
	hang barrier 'hangs_now\[TID\] waits for other threads at the barrier 0x[0-9a-f]*' \
		'asleep .*: for other threads at a barrier' 'barrier null '
	for waiter in child_signal child_sigwait child_of_thread; do
		hang $waiter 'hangs_now\[TID\] waits for its child other\[HOLDER\], which waits for a signal in pause' \
			'asleep .*, behind other\[HOLDER\]' 'child null HOLDER'
	done
	for waiter in child_poll child_epoll process_poll; do
		hang $waiter 'hangs_now\[TID\] waits for other\[HOLDER\] to end, which waits for a signal in pause' \
			'asleep .*, behind other\[HOLDER\]' 'child null HOLDER'
	done
	hang vfork 'hangs_now\[TID\] hangs since .*: waits for its child other\[HOLDER\]' 'in D .*, behind other\[HOLDER\]' \
		'child null HOLDER'
	hang posix_open 'hangs_now\[TID\] hangs since .*: waits for a lock (fcntl) on HERE/ADDRESS, held by other\[HOLDER\]' \
		'asleep .*: lock fcntl lock HERE/ADDRESS, behind other\[HOLDER\]' 'lock HERE/ADDRESS HOLDER'
	hang signal '[Ii]dle\|still waiting at the end' 'asleep'
	hang tcp_receive 'hangs_now\[TID\] waits for TCP receive from ADDRESS, other\[HOLDER\]' \
		'asleep .*: for TCP receive from ADDRESS, behind other\[HOLDER\]' 'answer ADDRESS HOLDER'
	hang tcp_send 'hangs_now\[TID\] waits for TCP send buffer to ADDRESS ([0-9,]* bytes not taken), other\[HOLDER\]' \
		'asleep .*: for TCP send buffer to ADDRESS ([0-9,]* bytes not taken), behind other\[HOLDER\]' 'answer ADDRESS HOLDER'
	hang tcp_connect 'hangs_now\[TID\] waits for TCP connect to ADDRESS (its backlog is full), other\[HOLDER\]' \
		'asleep .*: for TCP connect to ADDRESS (its backlog is full), behind other\[HOLDER\]' 'answer ADDRESS HOLDER'
	hang tcp_queued 'hangs_now\[TID\] waits for TCP receive from ADDRESS (it has not accepted the connection), other\[HOLDER\]' \
		'asleep .*: for TCP receive from ADDRESS (it has not accepted the connection), behind other\[HOLDER\]' \
		'answer ADDRESS HOLDER'
	hang tcp_served 'hangs_now\[TID\] waits for TCP receive from ADDRESS, other\[HOLDER\]' \
		'asleep .*: for TCP receive from ADDRESS, behind other\[HOLDER\]' 'for-work ADDRESS HOLDER'
	hang udp 'hangs_now\[TID\] waits for UDP receive from ADDRESS, other\[HOLDER\]' \
		'asleep .*: for UDP receive from ADDRESS, behind other\[HOLDER\]' 'answer ADDRESS HOLDER'
	hang unix 'hangs_now\[TID\] waits for data from a unix socket, other\[HOLDER\]' \
		'asleep .*: for data from a unix socket, behind other\[HOLDER\]' 'pipe null HOLDER'
	hang unix_connect 'hangs_now\[TID\] waits for .* unix socket.* at ADDRESS (its backlog is full), other\[HOLDER\]' \
		'asleep .* at ADDRESS (its backlog is full), behind other\[HOLDER\]' 'pipe ADDRESS HOLDER'
	hang unix_queued 'hangs_now\[TID\] waits for data from a unix socket at ADDRESS (it has not accepted the connection), other\[HOLDER\]' \
		'asleep .*: for data from a unix socket at ADDRESS (it has not accepted the connection), behind other\[HOLDER\]' \
		'pipe ADDRESS HOLDER'
	for poller in poll_pipe select_pipe epoll_pipe; do
		hang $poller 'hangs_now\[TID\] waits at a pipe for other\[HOLDER\], which has its other end open' \
			'asleep .*: for a pipe, behind other\[HOLDER\]' 'pipe null HOLDER'
	done
	hang poll_unix 'hangs_now\[TID\] waits for data from a unix socket, other\[HOLDER\]' \
		'asleep .*: for data from a unix socket, behind other\[HOLDER\]' 'pipe null HOLDER'
	hang poll_tries 'hangs_now\[TID\] waits for an answer from ADDRESS, other\[HOLDER\]' \
		'asleep .*: for an answer from ADDRESS, behind other\[HOLDER\]' 'answer ADDRESS HOLDER'
	hang poll_pipe_tries 'hangs_now\[TID\] waits at a pipe for other\[HOLDER\], which has its other end open' \
		'asleep .*: for a pipe, behind other\[HOLDER\]' 'pipe null HOLDER'
	hang proxy 'hangs_now\[TID\] waits for an answer from ADDRESS, other\[HOLDER\]' \
		'asleep .*: for an answer from ADDRESS, behind other\[HOLDER\]' 'answer ADDRESS HOLDER'
	hang deadlock_self 'Deadlock: hangs_now\[TID\] waits for the lock .*, which it has itself' \
		'asleep .*: lock'
	hang deadlock_pair 'Deadlock: .*hangs_now\[HOLDER\]' 'asleep .*: lock.*, behind hangs_now\[HOLDER\]'
	for poller in poll select epoll; do
		hang $poller 'hangs_now\[TID\] waits for an answer from ADDRESS, other\[HOLDER\]' \
			'asleep .*: for an answer from ADDRESS, behind other\[HOLDER\]' 'answer ADDRESS HOLDER'
	done
}

is_alone=false
hangs
wait
is_alone=true
hangs
finish
