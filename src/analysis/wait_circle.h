/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What both kinds of evidence for hung tasks, hangs.h and hung_tasks.h, have in common. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "graph/timeline/timeline.h"

#define WAITS_FOR_NONE SIZE_MAX

/* A wait is long if it has either of these lengths. Shorter waits are normal: every busy trace ends
   with tasks that are about to be served. */
#define LONG_WAIT_NS   1000000000u
#define LONG_WAIT_PART 10 /* the trace's length divided by this */

static inline bool wait_is_long(nsec_t length, const struct timeline *timeline)
{
	return length >= LONG_WAIT_NS ||
	       length >= (timeline->end - timeline->begin) / LONG_WAIT_PART;
}

/*
 * Each task waits for at most one other task: next[task], or WAITS_FOR_NONE. The search follows
 * these edges until a task waits for none, or was visited already: by an earlier search, or by this
 * one. In the last case this task is on a circle, and is returned; else WAITS_FOR_NONE. search_of[]
 * is all 0 before the first search; call it once for each task.
 */
static inline size_t wait_circle_find(const size_t *next, size_t *search_of, size_t from)
{
	size_t at = from;

	while (at != WAITS_FOR_NONE && search_of[at] == 0) {
		search_of[at] = from + 1;
		at = next[at];
	}
	return at != WAITS_FOR_NONE && search_of[at] == from + 1 ? at : WAITS_FOR_NONE;
}
