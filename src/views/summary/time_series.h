/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of something there was when: sums over slices of equal length that cover all that was
 * added. While what is added reaches beyond the last slice they become twice as long, two becoming
 * one, so there are never more than SERIES_SLICES, and never less than half of that in use.
 *
 * Memory: 2 KiB for any length. Cost: O(1 + slices that the stretch touches).
 */
#pragma once

#include <stddef.h>

#include "ftwait/nsec.h"

#define SERIES_SLICES 128

struct time_series {
	nsec_t begin; /* of the first slice */
	nsec_t slice; /* length; 0: not begun */
	nsec_t last;  /* begin of the slice that the last stretch ended in: mostly the next, too */
	size_t last_at; /* and which it is */
	nsec_t held[SERIES_SLICES];    /* what stretches lie in it, added up */
	nsec_t longest[SERIES_SLICES]; /* of the stretches that end in it, all of it */
};

/* The first slice begins there; all are at first that long, which is not 0. */
void time_series_init(struct time_series *series, nsec_t begin, nsec_t slice);
/* What time_series_add() does for a stretch that does not lie in the last slice alone. */
void time_series_spread(struct time_series *series, nsec_t begin, nsec_t end);
/* A stretch; what of it lies before the first slice is left out of `held`. Inline: for all waits,
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
/* Slices until `end`, of which the last one may reach beyond it; 0: not begun. */
size_t time_series_count(const struct time_series *series, nsec_t end);
