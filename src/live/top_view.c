/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "top_view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "top_words.h"

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

ORDER_FUNCTION(by_number, struct top_sort_item, FALLING(x, y, number), RISING(x, y, row))

ORDER_FUNCTION(by_name, struct top_sort_item, strcmp(x->name, y->name), RISING(x, y, row))

static void top_sort_items(struct top_sort_item *item, size_t count, enum top_sort sort)
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

#define WORDS_MAX (64u << 20) /* of all rows; later rows are left out */

void top_view_init(struct top_view *view)
{
	*view = (struct top_view){0};
	buffer_init(&view->words, WORDS_MAX);
}

void top_view_release(struct top_view *view)
{
	free(view->row);
	free(view->shown);
	free(view->selected);
	buffer_release(&view->words);
}

/* Ends a text that began at `begin`, and returns that. */
static size_t words_end(struct top_view *view, size_t begin)
{
	buffer_putc(&view->words, '\0');
	return begin;
}

static size_t shot_words(struct top_view *view, const struct top_shot *shot,
                         void (*append)(struct buffer *, const struct top_shot *))
{
	size_t begin = view->words.length;

	append(&view->words, shot);
	return words_end(view, begin);
}

static size_t row_words(struct top_view *view, const struct top_row *row,
                        void (*append)(struct buffer *, const struct top_row *))
{
	size_t begin = view->words.length;

	append(&view->words, row);
	return words_end(view, begin);
}

static size_t text_words(struct top_view *view, const char *text)
{
	size_t begin = view->words.length;

	buffer_puts(&view->words, text);
	return words_end(view, begin);
}

static void note_append(struct buffer *to, const struct top_shot *shot)
{
	if (shot->note)
		buffer_puts_clean(to, shot->note, strlen(shot->note));
}

static void row_take(struct top_view *view, const struct top_row *row)
{
	ARRAY_GROW(view->row, view->row_count, view->row_capacity);
	view->row[view->row_count] = (struct top_view_row){
		.key = text_words(view, row->name),
		.tid = row->task.tid,
		.name = row_words(view, row, top_row_name_append),
		.waited_for = row_words(view, row, top_row_for_append),
		.waited_for_beside = row_words(view, row, top_row_for_append_beside),
		.behind = row_words(view, row, top_row_behind_append),
		.is_kernel = row->is_kernel,
		.waiting = row->waiting,
		.queued = row->runnable,
		.running = row->running,
		.longest = row->longest,
		.waits = row->waits,
	};
	if (!view->words.is_cut)
		view->row_count++;
}

static bool has_text(const char *text, const char *part)
{
	size_t length = strlen(part);

	for (; *text; text++)
		if (strncasecmp(text, part, length) == 0)
			return true;
	return false;
}

static bool row_passes(const struct top_view *view, const struct top_view_row *row)
{
	return !*view->filter || has_text(top_view_text(view, row->name), view->filter) ||
	       has_text(top_view_text(view, row->waited_for), view->filter) ||
	       has_text(top_view_text(view, row->behind), view->filter);
}

/* Finds the selected row among those that are shown. */
static void selection_find(struct top_view *view)
{
	view->is_selected_shown = false;
	if (!view->has_selection)
		return;
	for (size_t i = 0; i < view->shown_count && !view->is_selected_shown; i++) {
		const struct top_view_row *row = top_view_row(view, i);

		if (row->tid == view->selected_tid &&
		    strcmp(top_view_text(view, row->key), view->selected) == 0) {
			view->is_selected_shown = true;
			view->selected_at = i;
		}
	}
}

static void rows_arrange(struct top_view *view)
{
	struct top_sort_item *item = xcalloc(view->row_count, sizeof(*item));
	size_t count = 0;

	for (size_t i = 0; i < view->row_count; i++) {
		const struct top_view_row *row = &view->row[i];

		if (row_passes(view, row))
			item[count++] = (struct top_sort_item){
				.row = i,
				.name = top_view_text(view, row->name),
				.queued = row->queued,
				.running = row->running,
				.longest = row->longest,
				.waits = row->waits,
			};
	}
	top_sort_items(item, count, view->sort);
	view->shown_count = 0;
	for (size_t i = 0; i < count; i++)
		ARRAY_ADD(view->shown, view->shown_count, view->shown_capacity) = item[i].row;
	free(item);
	selection_find(view);
}

void top_view_take(struct top_view *view, const struct top_shot *shot)
{
	if (view->has_shot && view->by != shot->by)
		top_view_unselect(view);
	view->has_shot = true;
	view->by = shot->by;
	view->has_lost = shot->lost > 0;
	buffer_clear(&view->words);
	view->title = shot_words(view, shot, top_title_append);
	view->clock = shot_words(view, shot, top_clock_append);
	view->rate = shot_words(view, shot, top_rate_append);
	view->queue = shot_words(view, shot, top_queue_append);
	view->longest = shot_words(view, shot, top_longest_append);
	view->longest_short = shot_words(view, shot, top_longest_append_short);
	view->requests = shot_words(view, shot, top_requests_append);
	view->note = shot_words(view, shot, note_append);
	view->none = shot_words(view, shot, top_none_append);
	memcpy(view->trend, shot->trend, sizeof(view->trend));
	view->trend_count = shot->trend_count;
	view->row_count = 0;
	for (size_t i = 0; i < shot->row_count && !view->words.is_cut; i++)
		row_take(view, &shot->row[i]);
	rows_arrange(view);
}

void top_view_set_sort(struct top_view *view, enum top_sort sort)
{
	view->sort = sort;
	rows_arrange(view);
}

void top_view_set_filter(struct top_view *view, const char *text)
{
	size_t length = strnlen(text, sizeof(view->filter) - 1);

	memcpy(view->filter, text, length);
	view->filter[length] = '\0';
	rows_arrange(view);
}

void top_view_select(struct top_view *view, size_t at)
{
	const struct top_view_row *row;

	if (view->shown_count == 0)
		return;
	if (at >= view->shown_count)
		at = view->shown_count - 1;
	row = top_view_row(view, at);
	free(view->selected);
	view->selected = xstrdup(top_view_text(view, row->key));
	view->selected_tid = row->tid;
	view->selected_at = at;
	view->has_selection = view->is_selected_shown = true;
}

void top_view_unselect(struct top_view *view)
{
	view->has_selection = view->is_selected_shown = false;
	view->selected_at = 0;
}
