/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the screen of `ftwait top` shows of a shot, in words of its own: it stays while the screen
 * is paused and the sums go on. Its rows are sorted and filtered as the user wants, and the user's
 * selection stays on a row, wherever that goes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text/buffer.h"
#include "top_shot.h"

/* The orders in which `ftwait top` shows rows: by a column, the most first, or by name. Rows that
   are equal in that stay in the order of the shot. */

enum top_sort {
	TOP_SORT_WAITING, /* the order of the shot */
	TOP_SORT_QUEUED,
	TOP_SORT_RUNNING,
	TOP_SORT_WAITS,
	TOP_SORT_LONGEST,
	TOP_SORT_NAME,
	TOP_SORT_COUNT,
};

/* "waiting", "queued", ...; also what --sort accepts. */
const char *top_sort_word(enum top_sort sort);
/* A row with all that it may be sorted by. */
struct top_sort_item {
	size_t row;      /* its place in the order of the shot */
	const char *name;
	nsec_t queued, running, longest;
	uint64_t waits;
	uint64_t number; /* set by top_sort_items() */
};

/* The rows of the shot, sorted; the caller frees them. Names and causes stay the shot's. */
struct top_row *top_sort_rows(const struct top_shot *shot, enum top_sort sort);

/* Texts are places in `words` of the view. */
struct top_view_row {
	size_t key;    /* the row's name as the shot has it */
	int32_t tid;
	size_t name, waited_for, waited_for_beside, behind; /* words of top_words.h */
	bool is_kernel;
	nsec_t waiting, queued, running, longest;
	uint64_t waits;
};

#define TOP_FILTER_MAX 64

struct top_view {
	bool has_shot;
	enum top_by by;
	bool has_lost;
	size_t title, clock, rate, queue, longest, longest_short, requests;
	size_t note; /* "": none */
	size_t none; /* in place of rows */
	double trend[TOP_TREND];
	size_t trend_count;
	struct top_view_row *row; /* in the order of the shot */
	size_t row_count, row_capacity;
	struct buffer words;

	enum top_sort sort;
	char filter[TOP_FILTER_MAX]; /* "": none */
	size_t *shown; /* rows that pass the filter, sorted */
	size_t shown_count, shown_capacity;

	bool has_selection;
	char *selected; /* key */
	int32_t selected_tid;
	bool is_selected_shown;
	size_t selected_at; /* in `shown`; where it was last if it is not shown now */
};

void top_view_init(struct top_view *view);
void top_view_release(struct top_view *view);
/* Rows of another kind end the selection. */
void top_view_take(struct top_view *view, const struct top_shot *shot);
void top_view_set_sort(struct top_view *view, enum top_sort sort);
/* Shows only rows that have the text in name, cause, or what they are behind; in either case. Of a
   text that is too long the begin counts. */
void top_view_set_filter(struct top_view *view, const char *text);
/* Selects the row at that place, or at the last one before it; nothing if no row is shown. */
void top_view_select(struct top_view *view, size_t at);
void top_view_unselect(struct top_view *view);

static inline const char *top_view_text(const struct top_view *view, size_t place)
{
	return view->words.text + place;
}

static inline const struct top_view_row *top_view_row(const struct top_view *view, size_t at)
{
	return &view->row[view->shown[at]];
}
