/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How an amount is distributed over time: sums over slices of equal length, which cover everything
 * that was added. When an addition reaches beyond the last slice, each two slices become one. So
 * there are never more than SERIES_SLICES, and at least half of them are in use.
 *
 * Memory: 2 KiB for any length. Cost: O(1 + slices that the stretch touches).
 */
#pragma once

#include <stddef.h>

#include "ftwait/nsec.h"

#define SERIES_SLICES 128

struct time_series {
	nsec_t begin; /* begin of the first slice */
	nsec_t slice; /* ns; 0: not begun */
	nsec_t last;  /* begin of the slice in which the last stretch ended; the next stretch
	                 usually ends there, too */
	size_t last_at; /* and its index */
	nsec_t held[SERIES_SLICES];    /* by slice: sum of the parts of stretches that lie in it */
	nsec_t longest[SERIES_SLICES]; /* by slice: longest whole stretch that ends in it */
};

/* The first slice begins at `begin`; at first the slices are `slice` ns long, which must not be
   0. */
void time_series_init(struct time_series *series, nsec_t begin, nsec_t slice);
/* The part of time_series_add() that is not inline, for a stretch that does not lie in the last
   slice. */
void time_series_spread(struct time_series *series, nsec_t begin, nsec_t end);
/* Adds a stretch; its part before the first slice is not in `held`. Inline, as it runs for all
   waits, most of which lie in the last slice. */
static inline void time_series_add(struct time_series *series, nsec_t begin, nsec_t end)
{
	if (begin >= end)
		return;
	if (begin < series->last || end - series->last > series->slice) {
		time_series_spread(series, begin, end);
		return;
	}
	series->held[series->last_at] += end - begin;
	series->longest[series->last_at] = nsec_max(series->longest[series->last_at], end - begin);
}
/* Number of slices until `end`; the last one may reach beyond it. 0: not begun. */
size_t time_series_count(const struct time_series *series, nsec_t end);
