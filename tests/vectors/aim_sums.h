/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of waits by the kind of their aim is the same in all views of one recording, and in all
 * rules, filters and windows: one sum. What --waits lists is the measure. Compared with it, of all
 * tasks, and of a random window:
 *
 *	off_cpu, costs.rows    sums over the rows; costs only where they are of several tasks: those
 *	                       of one task's path are of what others did, too
 *	summary, lock, net     their member by_aim, of the kinds that each is about; a row of lock
 *	                       is a contention, with the time that the task spins and queues, and
 *	                       one of net has waits that a packet ended, as those for work
 *	--kind K               --waits and --off-cpu list the same time for K as without it
 *	check                  rules "time K" for each kind that no state has the name of
 */
#pragma once

#include <stdint.h>

/* `trace`: the recording. Returns the number of differences, which are printed after `name`; 0 also
   if nothing can be reported. */
unsigned aim_sums_check(const char *name, int trace, uint64_t seed);
