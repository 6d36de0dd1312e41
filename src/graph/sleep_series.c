/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sleep_series.h"

#include "base/data/array.h"

size_t series_search(const void *all, size_t bytes, struct series_range *range, nsec_t t)
{
	uint32_t low = 0, high = range->count, hint = range->hint;

	/* most searches go on in order of time: the next series is tried first */
	if (hint < high && series_at(all, bytes, range->first + (size_t)hint)->end <= t) {
		low = hint + 1;
		if (low < high && series_at(all, bytes, range->first + (size_t)low)->end > t)
			high = low;
	}
	if (low < high)
		low += (uint32_t)array_lower_bound_u64(
			&series_at(all, bytes, range->first + (size_t)low)->end, high - low, bytes,
			t + 1);
	range->hint = low;
	return low < range->count ? range->first + (size_t)low : SIZE_MAX;
}
