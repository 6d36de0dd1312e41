/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report as the browser shows it: its lines, the options behind each, as
 * presenter_options.has_links has them, and a cursor that goes from link to link. Nothing here
 * knows the terminal, or runs a report.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "live/screen.h"

struct page_line {
	const char *text; /* without a line feed */
	const char *next; /* the options behind it; NULL: none */
};

struct page {
	char *bytes; /* owned; lines point into it */
	struct page_line *line;
	size_t count, capacity;
	/* Those of them that are shown: all, or the filter's. `top` and `cursor` are indices of
	   it. */
	size_t *shown;
	size_t shown_count;
	size_t top;    /* the first line on the screen */
	size_t cursor; /* SIZE_MAX: there is no link */
	size_t rows;   /* that the last drawing had room for */
	struct buffer filter; /* "": none */
};

void page_init(struct page *page);
void page_release(struct page *page);
/* Takes the text of a report instead of the one that it has, if any; then cursor and filter stay
   where they are as far as they can. It may have any bytes: the screen shows those as "?" that a
   terminal might obey. */
void page_take(struct page *page, const char *text, size_t length);
/* Shows only lines with the text, in any case of letters; "": all. The cursor stays on its line, or
   goes to the next link that is shown. */
void page_set_filter(struct page *page, const char *text);
/* Keys that move: arrows, j and k, PgUp, PgDn, Home, End. False: another key. */
bool page_key(struct page *page, int key);
/* Moves to the link behind or before the cursor. False: there is none. */
bool page_step(struct page *page, bool is_back);
/* The options behind the cursor; NULL: none. */
const char *page_next(const struct page *page);
/* Draws into the rows from `row` on. */
void page_draw(struct page *page, struct screen *screen, size_t row, size_t rows);
/* Columns of a line that are not the report's. */
#define PAGE_GUTTER 2
