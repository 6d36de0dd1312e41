/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which columns of a table a terminal has room for, and how wide they are. What matters least goes
 * first: spare columns before any text is cut, then texts are cut as far as they can still be read,
 * then useful columns go. What stays without any rank stays at every width.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "text_cut.h"

#define TEXT_LAYOUT_GAP     2 /* blanks between columns */
#define TEXT_LAYOUT_COLUMNS 64 /* at most */

/* Ranks of columns: 0 stays; of those that may go the lowest goes first, all of a rank at once. */
#define TEXT_RANK_SPARE  1 /* from here on: before texts are cut */
#define TEXT_RANK_USEFUL 8 /* from here on: after that */
#define TEXT_RANK_LAST   14

struct text_column {
	const char *title;
	enum text_form form;
	unsigned rank;
	bool is_stand_in; /* for the column before it, where that one is left out */
	size_t width;     /* of its widest cell, and of its title where that is shown */
	/* What text_layout() finds: */
	bool is_left_out;
	size_t shown;     /* columns it gets; cells that may be cut are cut there */
};

/* Whether it is shown: neither left out, nor standing in for one that is there. */
bool text_column_is_shown(const struct text_column *columns, size_t at);
/*
 * For rows of at most `width` columns; `width` 0: as wide as they are. If `is_open` rows that are
 * not known yet follow, and texts get some of the room that is left. Below some 30 columns rows may
 * still be too wide.
 */
void text_layout(struct text_column *columns, size_t count, size_t width, bool is_open);
