/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aligned columns. The first TEXT_TABLE_LOOKAHEAD rows are kept to find the widths; later rows are
 * written at once with these widths. So memory is bounded for any length of the table, and no
 * second pass is needed. No line is wider than the terminal: columns are left out and texts are
 * cut (text_layout.h). Without a width later rows may be misaligned.
 *
 * Order of calls: begin, columns, then per row one text_table_cell() a column and
 * text_table_row_end(), at last end. Texts are valid UTF-8 and are copied.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "text_layout.h"

#define TEXT_TABLE_LOOKAHEAD 1000
#define TEXT_TABLE_COLUMNS   TEXT_LAYOUT_COLUMNS

struct text_table {
	FILE *out;
	size_t width;      /* of the terminal; 0: not limited */
	const char *ellipsis;
	const char *title_on, *title_off; /* sequences around the header line */
	bool has_header;
	bool folds_last;   /* the last column is prose: folded, not cut */
	bool is_ascii;     /* replace other characters */
	bool is_streaming; /* the look-ahead is written */
	struct text_column column[TEXT_TABLE_COLUMNS];
	size_t column_count;
	char **cell; /* kept rows, one after the other; owned */
	size_t cell_count, cell_capacity;
};

void text_table_begin(struct text_table *table, FILE *out, bool has_header);
/* Returns the column, whose other members may be set before the first row. */
struct text_column *text_table_column(struct text_table *table, const char *title,
                                      enum text_form form);
void text_table_cell(struct text_table *table, const char *text);
void text_table_row_end(struct text_table *table);
/* Writes the kept rows and frees it. Returns whether there was any row; `column` keeps the
   resulting widths. */
bool text_table_end(struct text_table *table);
