/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sleep_series.h"

size_t series_after(const struct series_stretch *first, size_t count, size_t bytes, uint32_t line,
                    nsec_t t)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct series_stretch *series =
			(const void *)((const char *)first + middle * bytes);

		if (series->line < line || (series->line == line && series->end <= t))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
