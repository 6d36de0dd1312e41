/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sleep_series.h"

size_t series_search(const struct series_stretch *all, size_t bytes, struct series_range *range,
                     nsec_t t)
{
	const struct series_stretch *first = series_at(all, bytes, range->first);
	uint32_t low = 0, high = range->count, hint = range->hint;

	/* searches go on in order of time most often: it is the next one */
	if (hint < high && series_at(first, bytes, hint)->end <= t) {
		low = hint + 1;
		if (low < high && series_at(first, bytes, low)->end > t)
			high = low;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (series_at(first, bytes, middle)->end <= t)
			low = middle + 1;
		else
			high = middle;
	}
	range->hint = low;
	return low < range->count ? range->first + (size_t)low : SIZE_MAX;
}
