#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong names are usage errors with a suggestion; what only this kernel lacks is not.
. "$(dirname "$0")/prelude.sh"

record -e blok -o a.dat true
ended
expect "status 2" [ $status -eq 2 ]
expect "a group is suggested" said 'did you mean "block"?'
record -e all -o a.dat true
ended
expect "there is no group of all" [ $status -eq 2 ]
expect "the list of groups is named" said 'there is no group "all".*ftwait list'
record -e sched:sched_swich -o a.dat true
ended
expect "status 2" [ $status -eq 2 ]
expect "an event is suggested" said 'did you mean "sched:sched_switch"?'
expect "no file" [ ! -e a.dat ]
record -e 'sched:sched_w*,signal' -e irq:softirq_entry -o a.dat true
ended
expect "patterns and lists" [ $status -eq 0 ]
record -b 8 -o a.dat true
ended
expect "a buffer of 8 bytes" [ $status -eq 2 ]
finish
