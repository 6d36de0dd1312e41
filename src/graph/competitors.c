/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "competitors.h"

#include <stdlib.h>

#include "base/array.h"

#define CPUS 32768 /* a segment's CPU has 15 bits */

void competitors_init(struct competitors *competitors)
{
	*competitors = (struct competitors){0};
}

void competitors_release(struct competitors *competitors)
{
	free(competitors->stretch);
	free(competitors->by_line);
	*competitors = (struct competitors){0};
}

void competitors_add(struct competitors *competitors, uint16_t cpu, nsec_t begin, nsec_t end)
{
	ARRAY_GROW(competitors->stretch, competitors->count, competitors->capacity);
	competitors->stretch[competitors->count++] = (struct stretch){begin, end, cpu};
}

/* By CPU, and within a CPU turned round; first[cpu] is where a CPU's begin. */
static void competitors_sort(struct competitors *competitors, size_t *first)
{
	struct stretch *sorted = xreallocarray(NULL, competitors->count, sizeof(*sorted));
	size_t *next = xcalloc(CPUS, sizeof(*next));

	for (size_t i = 0; i < competitors->count; i++)
		first[competitors->stretch[i].cpu + 1]++;
	for (size_t cpu = 0; cpu < CPUS; cpu++) {
		first[cpu + 1] += first[cpu];
		next[cpu] = first[cpu];
	}
	for (size_t i = competitors->count; i-- > 0;)
		sorted[next[competitors->stretch[i].cpu]++] = competitors->stretch[i];
	free(next);
	free(competitors->stretch);
	competitors->stretch = sorted;
	competitors->capacity = competitors->count;
}

/* The first stretch in [low, high) that ends after t. */
static size_t stretch_find(const struct stretch *stretch, size_t low, size_t high, nsec_t t)
{
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (stretch[middle].end <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct sweep {
	const struct stretch *stretch;
	const size_t *first;
	/* of the line that is swept: the CPU it ran on last, and the stretch it has come to */
	uint16_t cpu;
	size_t at;
};

/* How much of the run lies in stretches of its CPU. */
static nsec_t sweep_overlap(struct sweep *sweep, uint16_t cpu, nsec_t begin, nsec_t end)
{
	size_t last = sweep->first[cpu + 1];
	nsec_t overlap = 0;

	if (sweep->cpu != cpu || sweep->at < sweep->first[cpu])
		sweep->at = stretch_find(sweep->stretch, sweep->first[cpu], last, begin);
	sweep->cpu = cpu;
	while (sweep->at < last && sweep->stretch[sweep->at].end <= begin)
		sweep->at++;
	for (size_t at = sweep->at; at < last && sweep->stretch[at].begin < end; at++)
		overlap += nsec_min(sweep->stretch[at].end, end) -
		           nsec_max(sweep->stretch[at].begin, begin);
	return overlap;
}

static nsec_t line_overlap(const struct line *line, struct sweep *sweep)
{
	nsec_t overlap = 0;

	sweep->cpu = UINT16_MAX; /* no segment's */
	for (size_t at = 0; at < line->segment_count; at++) {
		const struct segment *segment = &line->segment[at];

		if (segment->kind == SEGMENT_RUN &&
		    sweep->first[segment->cpu] != sweep->first[segment->cpu + 1])
			overlap += sweep_overlap(sweep, segment->cpu, segment->begin,
			                         timeline_segment_end(line, at));
	}
	return overlap;
}

void competitors_resolve(struct competitors *competitors, const struct timeline *timeline)
{
	size_t *first = xcalloc(CPUS + 1, sizeof(*first));
	struct sweep sweep = {.first = first};
	nsec_t all = 0, run = 0;

	competitors_sort(competitors, first);
	sweep.stretch = competitors->stretch;
	competitors->by_line = xcalloc(timeline->line_count, sizeof(*competitors->by_line));
	for (size_t line = 0; line < timeline->line_count; line++) {
		competitors->by_line[line] = line_overlap(&timeline->line[line], &sweep);
		run += competitors->by_line[line];
	}
	for (size_t i = 0; i < competitors->count; i++)
		all += competitors->stretch[i].end - competitors->stretch[i].begin;
	/* where events were lost two tasks may seem to have had one CPU */
	competitors->idle = all > run ? all - run : 0;
	free(first);
}
