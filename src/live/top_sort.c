/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"

static const char *const sort_words[TOP_SORT_COUNT] = {
	[TOP_SORT_WAITING] = "waiting", [TOP_SORT_QUEUED] = "queued",
	[TOP_SORT_RUNNING] = "running", [TOP_SORT_WAITS] = "waits",
	[TOP_SORT_LONGEST] = "longest", [TOP_SORT_NAME] = "name",
};

const char *top_sort_word(enum top_sort sort)
{
	assert(sort < TOP_SORT_COUNT);
	return sort_words[sort];
}

static uint64_t sort_number(const struct top_sort_item *item, enum top_sort sort)
{
	const uint64_t number[TOP_SORT_COUNT] = {
		[TOP_SORT_WAITING] = 0, /* the order of the shot */
		[TOP_SORT_QUEUED] = item->queued,
		[TOP_SORT_RUNNING] = item->running,
		[TOP_SORT_WAITS] = item->waits,
		[TOP_SORT_LONGEST] = item->longest,
		[TOP_SORT_NAME] = 0,
	};

	return number[sort];
}

static int order_compare(const struct top_sort_item *a, const struct top_sort_item *b)
{
	return (a->row > b->row) - (a->row < b->row);
}

static int by_number(const void *a, const void *b)
{
	const struct top_sort_item *left = a, *right = b;

	if (left->number != right->number)
		return left->number < right->number ? 1 : -1;
	return order_compare(left, right);
}

static int by_name(const void *a, const void *b)
{
	const struct top_sort_item *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order : order_compare(left, right);
}

void top_sort_items(struct top_sort_item *item, size_t count, enum top_sort sort)
{
	for (size_t i = 0; i < count; i++)
		item[i].number = sort_number(&item[i], sort);
	array_sort(item, count, sizeof(*item), sort == TOP_SORT_NAME ? by_name : by_number);
}

struct top_row *top_sort_rows(const struct top_shot *shot, enum top_sort sort)
{
	struct top_sort_item *item = xcalloc(shot->row_count, sizeof(*item));
	struct top_row *sorted = xcalloc(shot->row_count, sizeof(*sorted));

	for (size_t i = 0; i < shot->row_count; i++) {
		const struct top_row *row = &shot->row[i];

		item[i] = (struct top_sort_item){
			.row = i,
			.name = row->name,
			.queued = row->runnable,
			.running = row->running,
			.longest = row->longest,
			.waits = row->waits,
		};
	}
	top_sort_items(item, shot->row_count, sort);
	for (size_t i = 0; i < shot->row_count; i++)
		sorted[i] = shot->row[item[i].row];
	free(item);
	return sorted;
}
