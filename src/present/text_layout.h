/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the columns of a table for which a terminal has room, and their widths. If there is
 * little room, first the blank columns are left out, then the spare ones, then texts are cut as far
 * as they stay readable, then the useful columns are left out. Columns without a rank stay at every
 * width.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "present/text/text_cut.h"

#define TEXT_LAYOUT_GAP     2 /* blanks between columns */
#define TEXT_LAYOUT_COLUMNS 64 /* at most */

/* Ranks of columns. Columns of rank 0 stay; of the others those of the lowest rank are left out
   first, all of a rank at once. */
#define TEXT_RANK_SPARE  1 /* from here on: left out before texts are cut */
#define TEXT_RANK_USEFUL 8 /* from here on: left out after texts are cut */
#define TEXT_RANK_LAST   14

struct text_column {
	const char *title;
	enum text_form form;
	unsigned rank;
	bool is_blank;    /* its cells are all zero or empty */
	bool is_stand_in; /* shown in place of the previous column, if that is left out */
	size_t width;     /* width of its widest cell, or of its title if that is shown and wider */
	/* The results of text_layout(): */
	bool is_left_out;
	size_t shown;     /* the width that it gets; cells that may be cut are cut to it */
};

/* Whether the column is shown: it is not left out, and is no stand-in for a column that is
   shown. */
bool text_column_is_shown(const struct text_column *columns, size_t at);
/*
 * Chooses columns and widths for rows of at most `width` columns; `width` 0: no limit. is_open:
 * further rows follow, so texts get some of the remaining room. If `width` is less than about 30,
 * rows may still be too wide.
 */
void text_layout(struct text_column *columns, size_t count, size_t width, bool is_open);
