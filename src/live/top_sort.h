/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The orders in which `ftwait top` shows rows: by a column, the most first, or by name. Rows that
   are equal in that stay in the order of the shot. */
#pragma once

#include "top_shot.h"

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

void top_sort_items(struct top_sort_item *item, size_t count, enum top_sort sort);
/* The rows of the shot, sorted; the caller frees them. Names and causes stay the shot's. */
struct top_row *top_sort_rows(const struct top_shot *shot, enum top_sort sort);
