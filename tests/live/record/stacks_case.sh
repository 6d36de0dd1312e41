#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --stacks: kernel stacks where a task goes to sleep and where it is woken.
. "$(dirname "$0")/prelude.sh"

need trace-cmd
[ -e "$tracing/events/ftrace/kernel_stack" ] || { echo "the kernel has no stacks"; exit 77; }

record --stacks -e sched -o a.dat -- sh -c 'sleep 0.1 | sleep 0.1'
ended
trace-cmd report a.dat > text 2> warnings
expect "stacks" [ "$(grep -c 'kernel_stack:' text)" -gt 2 ]
expect "of sleepers" grep -q -e '=> *schedule' text
expect "of wakers" grep -q -e '=> *try_to_wake_up' text
finish
