/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aligned columns. The first TEXT_TABLE_LOOKAHEAD rows are kept to find the widths; later rows
 * are written at once with these widths and may stand out of line. So memory is bounded however
 * long the table is, and no second pass is needed.
 *
 * Order of calls: begin, columns, then per row one text_table_cell() a column and
 * text_table_row_end(), at last end. Texts are valid UTF-8 and are copied.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define TEXT_TABLE_LOOKAHEAD 1000
#define TEXT_TABLE_COLUMNS   64

struct text_column {
	const char *title; /* borrowed until end */
	bool is_right;
	size_t width;
};

struct text_table {
	FILE *out;
	size_t indent;
	size_t width;      /* of the terminal; 0: not limited. Cuts the last column. */
	const char *ellipsis;
	const char *title_on, *title_off; /* what switches the style of the header line */
	bool has_header;
	bool is_streaming; /* the look-ahead is written */
	struct text_column column[TEXT_TABLE_COLUMNS];
	size_t column_count;
	char **cell; /* kept rows, one after the other; owned */
	size_t cell_count, cell_capacity;
};

void text_table_begin(struct text_table *table, FILE *out, bool has_header);
void text_table_column(struct text_table *table, const char *title, bool is_right);
void text_table_cell(struct text_table *table, const char *text);
void text_table_row_end(struct text_table *table);
/* Writes what is kept and frees it. Returns whether there was any row. */
bool text_table_end(struct text_table *table);
