/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tasks did to get memory: stretches of reclaim and compaction, asleep or not. Part of the
 * timeline: totals of a task are always kept, the stretches themselves as long as its history is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/event.h"
#include "ftwait/nsec.h"

struct timeline;
struct line;

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

void timeline_add_memory(struct timeline *timeline, uint32_t line,
                         const struct memory_stretch *stretch);
/* Frees the stretches of the line, not its totals. */
void line_drop_memory(struct line *line);
void line_release_memory(struct line *line);
/*
 * The part of the line's outer stretches that lies in [begin, end): needs the history. All 0 if the
 * line has none.
 */
void line_memory_within(struct line *line, nsec_t begin, nsec_t end, struct memory_total *ret);
/* How much of [begin, end) lies in the line's outer stretches, and of that, in reclaims for the
   limit of a cgroup. O(log n) and the number of stretches in it. Needs the history. */
nsec_t line_memory_overlap(const struct line *line, nsec_t begin, nsec_t end, nsec_t *ret_limit);
void memory_total_add(struct memory_total *total, const struct memory_total *other);
