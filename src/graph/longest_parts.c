/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "longest_parts.h"

#include <assert.h>
#include <stdlib.h>

#include "base/data/array.h"

void longest_parts_init(struct longest_parts *longest, size_t count_max)
{
	assert(count_max > 0);
	*longest = (struct longest_parts){.count_max = count_max};
}

void longest_parts_release(struct longest_parts *longest)
{
	free(longest->part);
	*longest = (struct longest_parts){0};
}

static int part_compare_length(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	nsec_t one = x->end - x->begin, two = y->end - y->begin;

	if (one != two)
		return one > two ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static int part_compare_begin(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void longest_parts_cut(struct longest_parts *longest)
{
	const struct part *last;

	if (longest->count <= longest->count_max)
		return;
	qsort(longest->part, longest->count, sizeof(*longest->part), part_compare_length);
	longest->count = longest->count_max;
	last = &longest->part[longest->count - 1];
	longest->length_min = last->end - last->begin;
}

void longest_parts_add(struct longest_parts *longest, const struct part *part)
{
	if (part->end - part->begin < longest->length_min)
		return;
	if (longest->count / 2 >= longest->count_max)
		longest_parts_cut(longest);
	ARRAY_GROW(longest->part, longest->count, longest->capacity);
	longest->part[longest->count++] = *part;
}

void longest_parts_sort(struct longest_parts *longest)
{
	longest_parts_cut(longest);
	if (longest->count)
		qsort(longest->part, longest->count, sizeof(*longest->part), part_compare_begin);
}
