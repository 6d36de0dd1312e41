/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time_series.h"

#include <assert.h>
#include <string.h>

void time_series_init(struct time_series *series, nsec_t begin, nsec_t slice)
{
	assert(slice > 0);
	*series = (struct time_series){.begin = begin, .slice = slice};
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

void time_series_add(struct time_series *series, nsec_t begin, nsec_t end)
{
	nsec_t length = end - begin;
	size_t at;

	if (end <= series->begin || begin >= end)
		return;
	begin = nsec_max(begin, series->begin);
	/* a trace of the clock's whole range has slices of a 128th of it: no overflow */
	while ((end - 1 - series->begin) / series->slice >= SERIES_SLICES)
		series_double(series);
	at = (size_t)((end - 1 - series->begin) / series->slice);
	series->longest[at] = nsec_max(series->longest[at], length);
	for (at = (size_t)((begin - series->begin) / series->slice); begin < end; at++) {
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
