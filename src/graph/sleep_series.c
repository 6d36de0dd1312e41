/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sleep_series.h"

#define NEAR 2 /* so many are looked at from the last one on, before all are searched */

size_t series_after(const struct series_stretch *all, size_t bytes, struct series_range *range,
                    nsec_t t)
{
	const char *first = (const char *)all + range->first * bytes;
	uint32_t low = 0, high = range->count;
	uint32_t last = range->hint < high ? range->hint : high;

#define ENDS_BY_THEN(at)                                                                       \
	(((const struct series_stretch *)(const void *)(first + (at) * bytes))->end <= t)
	if (last > 0 && ENDS_BY_THEN(last - 1))
		low = last;
	else if (last > 0)
		high = last - 1;
	for (int i = 0; i < NEAR && low < high; i++) {
		if (ENDS_BY_THEN(low))
			low++;
		else
			high = low;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ENDS_BY_THEN(middle))
			low = middle + 1;
		else
			high = middle;
	}
#undef ENDS_BY_THEN
	range->hint = low;
	return low < range->count ? range->first + low : SIZE_MAX;
}
