/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time_series.h"

#include <assert.h>
#include <string.h>

void time_series_init(struct time_series *series, nsec_t begin, nsec_t slice)
{
	assert(slice > 0);
	*series = (struct time_series){.begin = begin, .slice = slice, .last = begin};
}

static void series_double(struct time_series *series)
{
	size_t half = SERIES_SLICES / 2;

	for (size_t i = 0; i < half; i++) {
		series->held[i] = series->held[2 * i] + series->held[2 * i + 1];
		series->longest[i] = nsec_max(series->longest[2 * i], series->longest[2 * i + 1]);
	}
	memset(&series->held[half], 0, half * sizeof(*series->held));
	memset(&series->longest[half], 0, half * sizeof(*series->longest));
	series->slice *= 2;
}

/* Sets `last` to the slice that contains the instant, which is not before the first slice. */
static void series_seek(struct time_series *series, nsec_t time)
{
	/* series_double() does not overflow: even if a trace has the clock's whole range, its
	   slices are a 128th of that */
	while ((time - series->begin) / series->slice >= SERIES_SLICES)
		series_double(series);
	series->last_at = (size_t)((time - series->begin) / series->slice);
	series->last = series->begin + series->last_at * series->slice;
}

void time_series_spread(struct time_series *series, nsec_t begin, nsec_t end)
{
	nsec_t length = end - begin;

	if (end <= series->begin)
		return;
	begin = nsec_max(begin, series->begin);
	if (end <= series->last || end - series->last > series->slice)
		series_seek(series, end - 1);
	series->longest[series->last_at] = nsec_max(series->longest[series->last_at], length);
	if (begin >= series->last) {
		series->held[series->last_at] += end - begin;
		return;
	}
	for (size_t at = (size_t)((begin - series->begin) / series->slice); begin < end; at++) {
		nsec_t left = series->slice - (begin - series->begin) % series->slice;
		nsec_t until = end - begin < left ? end : begin + left;

		series->held[at] += until - begin;
		begin = until;
	}
}

size_t time_series_count(const struct time_series *series, nsec_t end)
{
	nsec_t slices;

	if (series->slice == 0 || end <= series->begin)
		return 0;
	slices = (end - 1 - series->begin) / series->slice + 1;
	return slices < SERIES_SLICES ? (size_t)slices : SERIES_SLICES;
}
