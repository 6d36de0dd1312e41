#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Records every oracle (a program that knows its own waits) and asks whether the report agrees.
# run.sh BUILD_DIRECTORY [ORACLE...]; the last line counts. Needs a tracefs that may be used, else skips all.
# Oracles mostly wait, and what they know holds on a busy machine, so they run side by side, one for each CPU.
# After them, one by one: ksoftirqd, which needs a CPU for itself, and tcp_server, as a report shows the slowest
# 50 requests of all that it records.
set -u

here=$(dirname "$0")
. "$here/side_by_side.sh"
build=$1
shift
alone='(ksoftirqd|tcp_server)( .*)?'
# NAME [ARGUMENT] [-e GROUPS]: what is recorded is the recorder's own choice else.
oracles='pipe_chain
mutex sleep
mutex spin
child_exit
sleeper
sleeper -e sched,irq,syscalls
disk_read
disk_read busy
fsync
tcp_server spin
tcp_server sleep
tcp_hosts
asks_in_slices
asks_in_slices -e sched,timer,net,syscalls
asks_in_slices udp
polls_by_turns
polls_by_turns -e default --stacks
worker_in_slices
worker_in_slices -e default --stacks
limits_in_slices io_uring
limits_in_slices timerfd
limits_in_slices timer
limits_in_slices timer -e +syscalls
polls_once_more
connect_in_vain
lossy_link
slow_link
slow_link segments
udp_server
tcp_stall delayed_ack
tcp_stall resend
tcp_stall syn
hog
cpu_limit
cpu_limit crowd
budget deadline
budget fifo
signal_wait
stopped
traced
frozen
vfork
inception
barrier
flock_fight
flock_fight posix
lock_in_tries
lock_in_tries parts
lock_in_tries -e sched,timer,lock,syscalls
pipe_flow producer
pipe_flow consumer
remote_wake
early_wake
tiny_sleep
migration
deadlock
kernel_mutex
exec_thread
dying_threads exit -e default,syscalls --stacks
dying_threads main -e default,syscalls --stacks
dying_threads kill -e default,syscalls --stacks
dying_threads term -e default,syscalls --stacks
dying_threads fault -e default,syscalls --stacks
dying_threads exec -e default,syscalls --stacks
tid_reuse
tid_reuse at_once
pi_mutex
inversion
inversion -e sched,timer,syscalls
inversion inherit
loop_read
loop_read cached
io_limit
dirty_pages
grace_period
ksoftirqd
view_disk
view_disk contended
view_sched
view_sched fifo
view_timers
view_timers hog
view_futex -e sched,timer,lock,syscalls
view_futex crowd -e sched,timer,lock,syscalls
view_requeue -e sched,lock,syscalls
view_sync -e sched,timer,lock,syscalls
view_rwsem
view_memcg
view_memcg -e sched,block,mm
view_irq
view_syscall -e sched,timer,syscalls
view_on_cpu -e sched,block,syscalls
view_on_cpu -e sched,block,syscalls --stacks
view_processes
oom_kill
purposes -e sched,timer,net --stacks'
is_one=
[ "${1:-}" != --one ] || { is_one=yes && shift; }
[ $# -eq 0 ] || oracles=$(printf '%s\n' "$@")
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/ftwait-live.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
passed=0 failed=0 skipped=0
ORACLE_DIR=$scratch FTWAIT=$build/ftwait
export ORACLE_DIR FTWAIT

# Records the oracle and holds the report against it: 0, 1 (verdict), 2 (did not run), 77
oracle_try() { # NAME [ARGUMENT] [-e GROUPS]
	name=$1 argument=
	shift
	[ "${1:--e}" = -e ] || { argument=$1 && shift; }
	timeout -k 5 60 "$build/ftwait" record -q -o "$scratch/run.dat" "$@" -- \
		"$build/tests/live/oracles/$name" ${argument:+"$argument"} \
		> "$scratch/truth" 2> "$scratch/errors"
	status=$?
	[ $status -eq 77 ] && return 77
	[ $status -eq 0 ] || return 2
	"$build/truth_check" "$scratch/run.dat" "$scratch/truth" > "$scratch/verdict" 2>&1
}

# What fails because of the recording is recorded again, and said; what is wrong fails three times.
oracle_run() { # NAME [ARGUMENT] [-e GROUPS]
	for try in 1 2 3; do
		oracle_try "$@"
		result=$?
		[ $result -eq 1 ] && [ $try -lt 3 ] && is_incomplete "$scratch/run.dat" || break
		echo "AGAIN live $*, the kernel did not record all switches: $(head -n 1 "$scratch/verdict")"
	done
	case $result in
	77) echo "SKIP live $*: $(head -n 1 "$scratch/errors")" ;;
	2) echo "FAIL live $*: status $status: $(cat "$scratch/errors")" ;;
	0) echo "ok   live $*: $(tail -n 1 "$scratch/verdict")" ;;
	*)
		echo "FAIL live $*:"
		cat "$scratch/verdict"
		[ -z "${FTWAIT_KEEP:-}" ] || cp "$scratch/run.dat" "$scratch/truth" "$FTWAIT_KEEP"
		;;
	esac
	return $result
}

. "$here/tracing.sh"
if [ -n "$is_one" ]; then
	# shellcheck disable=SC2086 # a name and its argument
	oracle_run $oracles
	exit
fi

if [ -z "$tracing" ]; then
	skipped=$(echo "$oracles" | wc -l)
	echo "SKIP live: no tracefs that this user may write to (needs root)"
else
	echo "$oracles" | grep -vxE "$alone" | side_by_side "$(nproc)" "$scratch" sh "$0" "$build" --one
	echo "$oracles" | grep -xE "$alone" | side_by_side 1 "$scratch" sh "$0" "$build" --one
	while read -r oracle; do
		cat "$scratch/$oracle.log"
		case $(cat "$scratch/$oracle.status") in
		0) passed=$((passed + 1)) ;;
		77) skipped=$((skipped + 1)) ;;
		*) failed=$((failed + 1)) ;;
		esac
	done <<- END
	$oracles
	END
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
