/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Causes for which some units of an oracle's work are slow, chosen by a seed:
 *
 *	lock  the thread "keeper" has a mutex that every unit needs, and sleeps
 *	disk  the unit syncs a file
 *	cpu   the process "rival" has the CPU of those that work
 *	gc    the thread "sweeper" has stopped all that work at their safe points, and runs
 *
 * Units may overlap: then what is planted in one may hold up others. So each has what it lost to
 * which cause, by its own clock. One cause is at work at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PLANTED_NS   4000000u /* what a planted cause takes, but for the disk */
#define PLANTED_IDLE 150000u  /* of helpers between two looks */
#define WORK_CPU     0u       /* of those that work, and of the rival */
#define OTHER_CPU    1u       /* of all others */

enum planted_cause {
	PLANTED_NONE,
	PLANTED_LOCK,
	PLANTED_DISK,
	PLANTED_CPU,
	PLANTED_GC,
	PLANTED_CAUSES,
};

struct planted_unit {
	uint64_t begin, end;
	enum planted_cause cause;      /* planted in it */
	uint64_t work;                 /* how long it runs besides */
	uint64_t lost[PLANTED_CAUSES]; /* of the CPU: what the rival ran meanwhile; at the end */
};

/* One of so many, all as likely. Not for several threads at a time. */
void random_begin(uint64_t seed);
uint64_t random_below(uint64_t count);

/* Forks the rival, opens the file and begins the threads; then the caller may begin its own. */
void planted_begin(void);
/* No units are begun any more. */
void planted_end(void);
/* MODE is the name of a cause, "none" or "mix"; `part` of 10,000 units are slow. False: no such
   mode. */
bool planted_mode(const char *mode, uint64_t part);
/* A new unit, of which nothing is done yet, so far without a cause if another one is at work. */
void planted_choose(struct planted_unit *unit);
/* Does its work, slow or not. */
void planted_work(struct planted_unit *unit);
/* The unit is done: the next may have a cause. */
void planted_done(struct planted_unit *unit);
/* A line for each unit: begin and end, in ns of CLOCK_MONOTONIC, and to which cause it lost at
   least half of its time, and 0.3 ms, or "-". Once planted_end() was called. */
void planted_print(FILE *to, struct planted_unit *unit, size_t count);
