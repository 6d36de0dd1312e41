/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "track_log.h"

#include <assert.h>
#include <stdlib.h>

#include "base/data/array.h"

void memory_total_add_stretch(struct memory_total *total, const struct memory_stretch *stretch)
{
	memory_total_add(total, &(struct memory_total){
		.count = 1,
		.total = stretch->end - stretch->begin,
		.running = stretch->running,
		.waiting = stretch->waiting,
		.max = stretch->end - stretch->begin,
		.max_at = stretch->begin,
	});
}

void memory_total_add(struct memory_total *total, const struct memory_total *other)
{
	assert(other->running + other->waiting <= other->total && other->max <= other->total);
	if (other->count && (total->count == 0 || other->max > total->max)) {
		total->max = other->max;
		total->max_at = other->max_at;
	}
	total->count += other->count;
	total->total += other->total;
	total->running += other->running;
	total->waiting += other->waiting;
}

void memory_log_drop(struct memory_log *log)
{
	if (!log)
		return;
	free(log->stretch);
	log->stretch = NULL;
	log->count = 0;
	log->capacity = 0;
}

size_t memory_log_find(const struct memory_log *log, nsec_t t)
{
	return log ? ARRAY_AFTER(log->stretch, log->count, end, t) : 0;
}

bool memory_log_reaches(const struct memory_log *log, size_t at, nsec_t t)
{
	return log && at < log->count && log->stretch[at].begin < t;
}

nsec_t memory_log_overlap(const struct memory_log *log, nsec_t begin, nsec_t end,
                          nsec_t *ret_limit)
{
	nsec_t total = 0;

	*ret_limit = 0;
	for (size_t at = memory_log_find(log, begin); memory_log_reaches(log, at, end); at++) {
		const struct memory_stretch *stretch = &log->stretch[at];
		nsec_t part = nsec_min(end, stretch->end) - nsec_max(begin, stretch->begin);

		assert(part <= stretch->end - stretch->begin);
		total += part;
		if (stretch->what == MEMORY_MEMCG_RECLAIM)
			*ret_limit += part;
	}
	return total;
}
