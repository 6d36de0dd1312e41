/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the timeline has of a task beside its segments, in two logs.
 *
 * What tasks did to get memory: stretches of reclaim and compaction, asleep or not. Totals of a
 * task are always kept, the stretches themselves as long as its history is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/event.h"
#include "ftwait/nsec.h"

/* From the begin of one reclaim or compaction to its end, or to the end of the trace. */
struct memory_stretch {
	nsec_t begin, end;
	nsec_t running, waiting; /* time in it; the rest is runnable */
	uint8_t what;  /* enum memory_what */
	bool is_inner; /* it is part of another one */
};

struct memory_total {
	uint64_t count;
	nsec_t total, running, waiting;
	nsec_t max, max_at; /* the longest one, and when it began */
};

/* Totals of one task, including inner stretches. */
struct memory_log {
	struct memory_total by_what[MEMORY_WHAT_COUNT];
	struct memory_total outer; /* of stretches that are part of no other: counts all time
	                              once */
	struct memory_stretch *stretch; /* the outer ones, in order */
	size_t count, capacity;
};

void memory_total_add(struct memory_total *total, const struct memory_total *other);
void memory_total_add_stretch(struct memory_total *total, const struct memory_stretch *stretch);
/* Frees the stretches, but not the totals; accepts NULL. */
void memory_log_drop(struct memory_log *log);
/* Index of the first stretch that ends after t; 0 if there is none, or no log. */
size_t memory_log_find(const struct memory_log *log, nsec_t t);
/* Whether stretch number `at` exists and begins before t. */
bool memory_log_reaches(const struct memory_log *log, size_t at, nsec_t t);
/* Returns how much of [begin, end) lies in the outer stretches; *ret_limit: how much of that lies
   in reclaims for the limit of a cgroup. O(log n) and the number of stretches in it. Needs the
   history; the log may be NULL. */
nsec_t memory_log_overlap(const struct memory_log *log, nsec_t begin, nsec_t end,
                          nsec_t *ret_limit);

/*
 * What a task was seen to want: trackers note it where the end of a wait does not show it.
 *
 *	segments  RUN  WAIT      RUN WAIT      RUN WAIT(signal)
 *	aim            |--- flock /run/x -------------|
 *
 * Notes of one track follow each other in time and do not overlap.
 */

struct aim_note {
	nsec_t begin, end; /* of the wish; waits that lie within it are for it */
	uint32_t cause;    /* index in the timeline's causes: of one that says what it was for, and
	                      names as the waker who had it; CAUSE_NONE: not known */
	uint8_t kind;      /* enum aim_kind */
	uint8_t how;       /* enum aim_end; AIM_SIGNAL: the task gave up, the last wait shows why */
};

struct aim_log {
	struct aim_note *note;
	size_t count, capacity;
	size_t hint; /* where the last search ended */
};
