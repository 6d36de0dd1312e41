#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Frames of a program that marks them (oracles/rare_frame.c): as slices, and as turns between two marks. Four causes
# are planted in one recording, and --tail tells them apart.
# alone: the rival of another case would be another one of that name
. "$(dirname "$0")/planted.sh"

need_marks
by_keeper="$(behind keeper) and .chain[0].aim.kind == \"lock\""

planted frame rare_frame mix 1000 4 "$tracing/trace_marker"
shown frame slice 1000 --per slice:frame --comm game
is_found frame lock "$by_keeper"
is_found frame gc "$(behind sweeper)"
# who had the CPU most is named, which on a busy machine need not be half of the time
is_among frame cpu "$(behind rival)"
slowest_is_true frame
shown frame slice 1000 --per slice:frame --comm game --tail=1%
expect "ten are the slowest 1 %" is_so frame '.far == 10'
# between two ticks lies the sleep, too, which the game chose: it is as long in all
shown frame turn 999 --per mark:tick --comm game
is_found frame lock "$by_keeper"
is_found frame gc "$(behind sweeper)"
finish
