/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

void coverage_release(struct coverage *coverage)
{
	free(coverage->stretch);
	*coverage = (struct coverage){0};
}

static void coverage_forget(struct coverage *coverage)
{
	size_t gone = coverage->count / 2;

	coverage->since = coverage->stretch[gone - 1].end;
	coverage->count -= gone;
	memmove(coverage->stretch, coverage->stretch + gone,
	        coverage->count * sizeof(*coverage->stretch));
}

void coverage_add(struct coverage *coverage, nsec_t begin, nsec_t end,
                  void (*on_new)(void *state, nsec_t begin, nsec_t end), void *state)
{
	nsec_t from = nsec_max(begin, coverage->since), to = end;
	struct stretch all = {.begin = from, .end = end};

	if (from >= end)
		return;
	while (to > from) {
		bool touches = coverage_end(coverage) >= from && coverage->count;
		nsec_t since = touches ? coverage_end(coverage) : from;

		if (since < to) {
			coverage->total += to - since;
			if (on_new)
				on_new(state, since, to);
		}
		if (!touches)
			break;
		to = coverage->stretch[--coverage->count].begin;
		all.begin = nsec_min(all.begin, to);
	}
	if (coverage->count == COVERAGE_GAPS_MAX)
		coverage_forget(coverage);
	ARRAY_GROW(coverage->stretch, coverage->count, coverage->capacity);
	coverage->stretch[coverage->count++] = all;
}

nsec_t coverage_within(const struct coverage *coverage, nsec_t begin, nsec_t end)
{
	nsec_t sum = 0;

	for (size_t i = coverage->count; i-- > 0;) {
		const struct stretch *stretch = &coverage->stretch[i];
		nsec_t from = nsec_max(begin, stretch->begin), to = nsec_min(end, stretch->end);

		if (stretch->end <= begin)
			break;
		if (from < to)
			sum += to - from;
	}
	return sum;
}
