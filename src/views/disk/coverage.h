/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much time a set of intervals covers; overlaps count once. Intervals are added in order of
 * their ends, as they are reported:
 *
 *	added before    |-----|      |---|  |--|
 *	added                     |----------------|
 *	new                       |-|    |--|  |---|
 *
 * The youngest COVERAGE_GAPS_MAX gaps are kept; an interval covers nothing new before the oldest of
 * them. O(1) an interval, amortised; memory grows with the gaps.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

#define COVERAGE_GAPS_MAX 4096

struct stretch {
	nsec_t begin, end;
};

struct coverage {
	struct stretch *stretch; /* in order; no two touch */
	size_t count, capacity;
	nsec_t total;
	nsec_t since; /* what lies before this time is forgotten; 0: nothing is forgotten */
};

/* A coverage that is all zero is empty. */
void coverage_release(struct coverage *coverage);
/* `on_new` is called for each stretch that was not covered before; it may be NULL. */
void coverage_add(struct coverage *coverage, nsec_t begin, nsec_t end,
                  void (*on_new)(void *state, nsec_t begin, nsec_t end), void *state);
/* The number of ns of [begin, end) that are covered, as far as the coverage is still kept. */
nsec_t coverage_within(const struct coverage *coverage, nsec_t begin, nsec_t end);
/* End of the last stretch; 0: there is none. */
static inline nsec_t coverage_end(const struct coverage *coverage)
{
	return coverage->count ? coverage->stretch[coverage->count - 1].end : 0;
}
