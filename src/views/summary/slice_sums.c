/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "slice_sums.h"

#include <stdlib.h>

#include "base/data/array.h"

void slice_sums_init(struct slice_sums *sums)
{
	*sums = (struct slice_sums){.sum = NULL};
	map_init(&sums->by_track);
}

void slice_sums_release(struct slice_sums *sums)
{
	free(sums->sum);
	map_release(&sums->by_track);
}

static struct slice_sum *sums_find(struct slice_sums *sums, uint32_t track)
{
	uint32_t index = map_get(&sums->by_track, track);

	if (index != MAP_NONE)
		return &sums->sum[index];
	ARRAY_GROW(sums->sum, sums->count, sums->capacity);
	map_put(&sums->by_track, track, (uint32_t)sums->count);
	sums->sum[sums->count] = (struct slice_sum){.track = track, .is_alike = true};
	return &sums->sum[sums->count++];
}

void slice_sums_add(struct slice_sums *sums, const struct sliced_wait *wait, nsec_t begin,
                    nsec_t end, bool is_whole)
{
	struct slice_sum *sum = sums_find(sums, wait->track);
	bool is_last = wait->is_answered && end == wait->end;

	sum->is_alike &= sum->count == 0 || (sum->cause.kind == wait->cause->kind &&
	                                     cause_note_is_alike(&sum->cause, wait->cause));
	if (sum->count == 0 || (is_whole && wait->waiting > sum->longest)) {
		sum->cause = *wait->cause;
		sum->is_answered = wait->is_answered;
	}
	sum->waiting += end - begin;
	sum->inferred += is_last ? 0 : end - begin;
	sum->most = nsec_max(sum->most, end - begin);
	sum->count++;
	if (!is_whole || wait->waiting <= sum->longest)
		return;
	sum->longest = wait->waiting;
	sum->longest_at = wait->begin;
	sum->longest_count = wait->count;
}

const struct slice_sum *slice_sums_of(const struct slice_sums *sums, uint32_t track)
{
	uint32_t index = map_get(&sums->by_track, track);

	return index == MAP_NONE ? NULL : &sums->sum[index];
}
