/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cpu_runs.h"

#include <stdlib.h>

#include "base/array.h"

static int run_compare(const void *a, const void *b)
{
	const struct cpu_run *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void cpu_runs_fill(struct cpu_runs *runs, const struct timeline *timeline)
{
	*runs = (struct cpu_runs){0};
	for (uint32_t index = 0; index < timeline->line_count; index++) {
		const struct line *line = &timeline->line[index];

		for (size_t at = 0; at < line->segment_count; at++) {
			if (line->segment[at].kind != SEGMENT_RUN)
				continue;
			ARRAY_GROW(runs->run, runs->count, runs->capacity);
			runs->run[runs->count++] = (struct cpu_run){
				.begin = line->segment[at].begin,
				.end = timeline_segment_end(line, at),
				.line = index,
				.cpu = line->segment[at].cpu,
			};
		}
	}
	if (runs->count)
		qsort(runs->run, runs->count, sizeof(*runs->run), run_compare);
}

void cpu_runs_release(struct cpu_runs *runs)
{
	free(runs->run);
	*runs = (struct cpu_runs){0};
}

/* The first run of the CPU that begins at t or later; runs before it may still last then. */
static size_t cpu_runs_find(const struct cpu_runs *runs, uint16_t cpu, nsec_t t)
{
	size_t low = 0, high = runs->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct cpu_run *run = &runs->run[middle];

		if (run->cpu < cpu || (run->cpu == cpu && run->begin < t))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

nsec_t cpu_runs_visit(const struct cpu_runs *runs, uint16_t cpu, nsec_t begin, nsec_t end,
                      void (*on_run)(void *state, uint32_t line, nsec_t length), void *state)
{
	size_t at = cpu_runs_find(runs, cpu, begin);
	nsec_t free_since = begin, idle = 0;

	/* runs of one CPU do not overlap but where events were lost: one step back is enough */
	if (at > 0 && runs->run[at - 1].cpu == cpu)
		at--;
	for (; at < runs->count && runs->run[at].cpu == cpu && runs->run[at].begin < end; at++) {
		nsec_t from = nsec_max(runs->run[at].begin, free_since);
		nsec_t to = nsec_min(runs->run[at].end, end);

		if (from >= to)
			continue;
		idle += from - free_since;
		free_since = to;
		on_run(state, runs->run[at].line, to - from);
	}
	return idle + (end - free_since);
}
