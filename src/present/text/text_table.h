/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table with aligned columns. The first TEXT_TABLE_LOOKAHEAD rows are kept to find the widths;
 * later rows are written at once with these widths. So memory is bounded for a table of any length,
 * and no second pass is needed. No line is wider than the terminal: columns are left out and texts
 * are cut. Without a width later rows may be misaligned.
 *
 * Order of calls: begin; columns; for each row one cell for each column, and
 * text_table_row_end(); end. Texts are valid UTF-8 and are copied.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "text_fold.h"

/*
 * Chooses the columns of a table for which a terminal has room, and their widths. If there is
 * little room, first the blank columns are left out, then the spare ones, then texts are cut as far
 * as they stay readable, then the useful columns are left out. Columns without a rank stay at every
 * width.
 */

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

#define TEXT_TABLE_LOOKAHEAD 1000
#define TEXT_TABLE_COLUMNS   TEXT_LAYOUT_COLUMNS

struct text_table {
	FILE *out;
	size_t width;      /* width of the terminal; 0: not limited */
	const char *ellipsis;
	const char *title_on, *title_off; /* escape sequences before and after the header line */
	bool has_header;
	bool folds_last;   /* the last column is prose, which is folded and not cut */
	bool is_ascii;     /* replace other characters */
	bool is_streaming; /* the look-ahead is written, and later rows are written at once */
	struct text_column column[TEXT_TABLE_COLUMNS];
	size_t column_count;
	char **cell; /* cells of the kept rows, row by row; owned */
	size_t cell_count, cell_capacity;
	char **below; /* lines below the kept rows, by row; NULL: none; owned */
	size_t below_count, below_capacity;
	char **link; /* what stands before the kept rows, by row; NULL: nothing; owned */
	size_t link_count, link_capacity;
};

void text_table_begin(struct text_table *table, FILE *out, bool has_header);
/* Adds a column and returns it; its other members may be set before the first row. */
struct text_column *text_table_column(struct text_table *table, const char *title,
                                      enum text_form form);
void text_table_cell(struct text_table *table, const char *text);
/* The same; `is_blank`: it is zero, or there is nothing. Columns that have nothing else are the
   first to be left out. */
void text_table_cell_of(struct text_table *table, const char *text, bool is_blank);
/* Adds a line below the row, whose cells are complete; it is cut, not aligned. */
void text_table_below(struct text_table *table, const char *line);
/* Sets what is behind the row, whose cells are complete, as presenter_options.has_links has it. */
void text_table_link(struct text_table *table, const char *options);
void text_table_row_end(struct text_table *table);
/* Writes the kept rows and frees the table. Returns whether there were rows; `column` keeps the
   resulting widths. */
bool text_table_end(struct text_table *table);
