/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sleep_series.h"

#include <stdlib.h>

#include "base/array.h"
#include "timeline.h"

void own_sleeps_find(struct own_sleeps *sleeps, const struct timeline *timeline, uint32_t index)
{
	const struct line *line = &timeline->line[index];
	const struct segment *segment = line->segment, *end = segment + line->segment_count;

	sleeps->count = 0;
	if (!line->has_own_timers)
		return;
	for (; segment < end; segment++) {
		if (segment->kind != SEGMENT_WAIT || segment->cause == CAUSE_NONE ||
		    !cause_note_is_own_timer(timeline_cause_at(timeline, segment->cause)))
			continue;
		ARRAY_GROW(sleeps->at, sleeps->count, sleeps->capacity);
		sleeps->at[sleeps->count++] = (uint32_t)(segment - line->segment);
	}
}

void own_sleeps_release(struct own_sleeps *sleeps)
{
	free(sleeps->at);
	*sleeps = (struct own_sleeps){0};
}

size_t series_search(const struct series_stretch *all, size_t bytes, struct series_range *range,
                     nsec_t t)
{
	uint32_t low = 0, high = range->count, next = range->hint + 1;

	/* searches go on in order of time most often: it is the next one */
	if (range->hint < high && series_at(all, bytes, range->first + (size_t)range->hint)->end <= t) {
		low = next;
		if (low < high && series_at(all, bytes, range->first + (size_t)low)->end > t)
			high = low;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (series_at(all, bytes, range->first + (size_t)middle)->end <= t)
			low = middle + 1;
		else
			high = middle;
	}
	range->hint = low;
	return low < range->count ? range->first + (size_t)low : SIZE_MAX;
}
