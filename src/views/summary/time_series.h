/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of something there was when: sums over slices of equal length that cover all that was
 * added. When an addition reaches beyond the last slice, each two slices become one, so there are
 * never more than SERIES_SLICES, and never less than half of that in use.
 *
 * Memory: 2 KiB for any length. Cost: O(1 + slices that the stretch touches).
 */
#pragma once

#include <stddef.h>

#include "ftwait/nsec.h"

#define SERIES_SLICES 128

struct time_series {
	nsec_t begin; /* of the first slice */
	nsec_t slice; /* ns; 0: not begun */
	nsec_t last;  /* begin of the slice in which the last stretch ended: usually the next one
	                 does, too */
	size_t last_at; /* and its index */
	nsec_t held[SERIES_SLICES];    /* sum of the stretches' parts in it */
	nsec_t longest[SERIES_SLICES]; /* of the stretches that end in it, whole */
};

/* The first slice begins at `begin`; the slices are `slice` long at first, which is not 0. */
void time_series_init(struct time_series *series, nsec_t begin, nsec_t slice);
/* The out-of-line part of time_series_add(), for a stretch that is not only in the last slice. */
void time_series_spread(struct time_series *series, nsec_t begin, nsec_t end);
/* Adds a stretch; `held` omits its part before the first slice. Inline, as it runs for all waits,
   of which most lie in the last slice. */
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
