/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much time a set of intervals covers, those that overlap counted once. They are added in order
 * of their ends, as they are told of:
 *
 *	added before    |-----|      |---|  |--|
 *	added                     |----------------|
 *	new                       |-|    |--|  |---|
 *
 * Gaps are remembered as far as there are COVERAGE_GAPS_MAX younger ones: an interval that reaches
 * further back covers nothing new there. O(1) an interval, amortised; memory by the gaps.
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
	struct stretch *stretch; /* in order, none touches another */
	size_t count, capacity;
	nsec_t total;
	nsec_t since; /* what lies before is forgotten; 0: nothing is */
};

/* All zero is an empty one. */
void coverage_release(struct coverage *coverage);
/* `on_new`: is called for each stretch that was not covered before; NULL: nobody is. */
void coverage_add(struct coverage *coverage, nsec_t begin, nsec_t end,
                  void (*on_new)(void *state, nsec_t begin, nsec_t end), void *state);
/* How much of [begin, end) is covered, as far as that is remembered. */
nsec_t coverage_within(const struct coverage *coverage, nsec_t begin, nsec_t end);
/* Where the last stretch ends; 0: there is none. */
static inline nsec_t coverage_end(const struct coverage *coverage)
{
	return coverage->count ? coverage->stretch[coverage->count - 1].end : 0;
}
