/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of a table that a terminal has room for, and their widths. The least important are
 * left out first: spare columns before any text is cut, then texts are cut as far as they stay
 * readable, then useful columns are left out. Columns without a rank stay at every width.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "text_cut.h"

#define TEXT_LAYOUT_GAP     2 /* blanks between columns */
#define TEXT_LAYOUT_COLUMNS 64 /* at most */

/* Ranks of columns: 0 stays; of the others the lowest is left out first, all of a rank at once. */
#define TEXT_RANK_SPARE  1 /* from here on: before texts are cut */
#define TEXT_RANK_USEFUL 8 /* from here on: after that */
#define TEXT_RANK_LAST   14

struct text_column {
	const char *title;
	enum text_form form;
	unsigned rank;
	bool is_stand_in; /* for the previous column, if that is left out */
	size_t width;     /* of its widest cell, and of its title if that is shown */
	/* The results of text_layout(): */
	bool is_left_out;
	size_t shown;     /* columns it gets; cells that may be cut are cut to this */
};

/* Whether it is shown: neither left out, nor a stand-in for a column that is shown. */
bool text_column_is_shown(const struct text_column *columns, size_t at);
/*
 * For rows of at most `width` columns; `width` 0: no limit. If `is_open`, further rows follow, and
 * texts get some of the remaining room. Below some 30 columns rows may still be too wide.
 */
void text_layout(struct text_column *columns, size_t count, size_t width, bool is_open);
