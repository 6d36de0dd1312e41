/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "memory_log.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/xalloc.h"
#include "timeline.h"

static void total_add_stretch(struct memory_total *total, const struct memory_stretch *stretch)
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
	if (other->count && (total->count == 0 || other->max > total->max)) {
		total->max = other->max;
		total->max_at = other->max_at;
	}
	total->count += other->count;
	total->total += other->total;
	total->running += other->running;
	total->waiting += other->waiting;
}

void timeline_add_memory(struct timeline *timeline, uint32_t index,
                         const struct memory_stretch *stretch)
{
	struct line *line = &timeline->line[index];
	struct memory_log *log;

	assert(stretch->begin <= stretch->end && stretch->what < MEMORY_WHAT_COUNT);
	assert(stretch->running + stretch->waiting <= stretch->end - stretch->begin);
	if (!line->memory)
		line->memory = xcalloc(1, sizeof(*line->memory));
	log = line->memory;
	total_add_stretch(&log->by_what[stretch->what], stretch);
	if (stretch->is_inner)
		return;
	total_add_stretch(&log->outer, stretch);
	if (!timeline->keep_segments)
		return;
	ARRAY_GROW_FROM(log->stretch, log->count, log->capacity, 3);
	log->stretch[log->count++] = *stretch;
	timeline->bytes += sizeof(*stretch);
}

void line_drop_memory(struct line *line)
{
	if (!line->memory)
		return;
	free(line->memory->stretch);
	line->memory->stretch = NULL;
	line->memory->count = 0;
	line->memory->capacity = 0;
}

void line_release_memory(struct line *line)
{
	line_drop_memory(line);
	free(line->memory);
	line->memory = NULL;
}

/* The part of the stretch that lies in the window, and what the task did in it. */
static struct memory_stretch stretch_clip(struct line *line, const struct memory_stretch *stretch,
                                          nsec_t begin, nsec_t end)
{
	struct memory_stretch part = {
		.begin = nsec_max(begin, stretch->begin),
		.end = nsec_min(end, stretch->end),
		.what = stretch->what,
	};
	size_t at = timeline_find(line, part.begin + 1); /* the first one that ends after it */

	for (at = at == SIZE_MAX ? 0 : at;
	     at < line->segment_count && line->segment[at].begin < part.end; at++) {
		nsec_t from = nsec_max(part.begin, line->segment[at].begin);
		nsec_t to = nsec_min(part.end, timeline_segment_end(line, at));

		if (line->segment[at].kind == SEGMENT_RUN)
			part.running += to - from;
		else if (line->segment[at].kind == SEGMENT_WAIT)
			part.waiting += to - from;
	}
	return part;
}

/* Index of the first stretch that ends after t; 0 if there is no log. */
static size_t log_find(const struct memory_log *log, nsec_t t)
{
	return log && log->count ? array_lower_bound_u64(&log->stretch->end, log->count,
	                                                 sizeof(*log->stretch), t + 1)
	                         : 0;
}

/* Whether there is such a stretch, and it begins before t. */
static bool log_reaches(const struct memory_log *log, size_t at, nsec_t t)
{
	return log && at < log->count && log->stretch[at].begin < t;
}

void line_memory_within(struct line *line, nsec_t begin, nsec_t end, struct memory_total *ret)
{
	const struct memory_log *log = line->memory;

	*ret = (struct memory_total){0};
	for (size_t at = log_find(log, begin); log_reaches(log, at, end); at++) {
		struct memory_stretch part = stretch_clip(line, &log->stretch[at], begin, end);

		total_add_stretch(ret, &part);
	}
}

nsec_t line_memory_overlap(const struct line *line, nsec_t begin, nsec_t end, nsec_t *ret_limit)
{
	const struct memory_log *log = line->memory;
	nsec_t total = 0;

	*ret_limit = 0;
	for (size_t at = log_find(log, begin); log_reaches(log, at, end); at++) {
		const struct memory_stretch *stretch = &log->stretch[at];
		nsec_t part = nsec_min(end, stretch->end) - nsec_max(begin, stretch->begin);

		total += part;
		if (stretch->what == MEMORY_MEMCG_RECLAIM)
			*ret_limit += part;
	}
	return total;
}
