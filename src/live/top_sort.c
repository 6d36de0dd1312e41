/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/xalloc.h"

static const char *const sort_words[TOP_SORT_COUNT] = {
	[TOP_SORT_WAITING] = "waiting", [TOP_SORT_QUEUED] = "queued",
	[TOP_SORT_RUNNING] = "running", [TOP_SORT_WAITS] = "waits",
	[TOP_SORT_LONGEST] = "longest", [TOP_SORT_NAME] = "name",
};

/* A row with what it is sorted by. */
struct sort_item {
	uint64_t number; /* most first */
	const struct top_row *row;
};

const char *top_sort_word(enum top_sort sort)
{
	assert(sort < TOP_SORT_COUNT);
	return sort_words[sort];
}

static uint64_t sort_number(const struct top_row *row, enum top_sort sort)
{
	const uint64_t number[TOP_SORT_COUNT] = {
		[TOP_SORT_WAITING] = 0, /* the order of the shot */
		[TOP_SORT_QUEUED] = row->runnable,
		[TOP_SORT_RUNNING] = row->running,
		[TOP_SORT_WAITS] = row->waits,
		[TOP_SORT_LONGEST] = row->longest,
		[TOP_SORT_NAME] = 0,
	};

	return number[sort];
}

static int order_compare(const struct sort_item *a, const struct sort_item *b)
{
	return (a->row > b->row) - (a->row < b->row);
}

static int by_number(const void *a, const void *b)
{
	const struct sort_item *left = a, *right = b;

	if (left->number != right->number)
		return left->number < right->number ? 1 : -1;
	return order_compare(left, right);
}

static int by_name(const void *a, const void *b)
{
	const struct sort_item *left = a, *right = b;
	int order = strcmp(left->row->name, right->row->name);

	return order ? order : order_compare(left, right);
}

struct top_row *top_sort_rows(const struct top_shot *shot, enum top_sort sort)
{
	struct sort_item *item = xcalloc(shot->row_count, sizeof(*item));
	struct top_row *sorted = xcalloc(shot->row_count, sizeof(*sorted));

	for (size_t i = 0; i < shot->row_count; i++)
		item[i] = (struct sort_item){sort_number(&shot->row[i], sort), &shot->row[i]};
	array_sort(item, shot->row_count, sizeof(*item),
	           sort == TOP_SORT_NAME ? by_name : by_number);
	for (size_t i = 0; i < shot->row_count; i++)
		sorted[i] = *item[i].row;
	free(item);
	return sorted;
}
