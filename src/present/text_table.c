/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"

#define GAP        2 /* blanks between columns */
#define LAST_LEAST 12 /* columns of the last one that a narrow terminal leaves */

void text_table_begin(struct text_table *table, FILE *out, bool has_header)
{
	*table = (struct text_table){
		.out = out,
		.has_header = has_header,
		.ellipsis = "~",
		.title_on = "",
		.title_off = "",
	};
}

void text_table_column(struct text_table *table, const char *title, bool is_right)
{
	assert(table->column_count < TEXT_TABLE_COLUMNS && table->cell_count == 0);
	table->column[table->column_count++] = (struct text_column){
		.title = title,
		.is_right = is_right,
		.width = table->has_header ? utf8_columns(title) : 0,
	};
}

static void blanks_put(FILE *out, size_t count)
{
	(void)fprintf(out, "%*s", (int)count, "");
}

/* The last column, cut where the terminal ends. `used` columns stand before it. */
static void last_put(const struct text_table *table, const char *text, size_t used)
{
	size_t room = table->width > used ? table->width - used : 0;
	size_t columns = utf8_columns(text), bytes = 0;

	if (table->width == 0 || columns <= room || columns <= LAST_LEAST) {
		(void)fputs(text, table->out);
		return;
	}
	room = room > LAST_LEAST ? room : LAST_LEAST;
	for (size_t shown = 1; shown < room; shown++)
		bytes += utf8_sequence_bytes(text + bytes, strlen(text + bytes));
	(void)fwrite(text, 1, bytes, table->out);
	(void)fputs(table->ellipsis, table->out);
}

static void cells_put(const struct text_table *table, const char *const *cell)
{
	size_t used = table->indent;

	blanks_put(table->out, table->indent);
	for (size_t i = 0; i < table->column_count; i++) {
		const struct text_column *column = &table->column[i];
		size_t columns = utf8_columns(cell[i]);
		size_t pad = column->width > columns ? column->width - columns : 0;
		bool is_last = i + 1 == table->column_count;

		if (i > 0)
			blanks_put(table->out, GAP);
		if (column->is_right) {
			blanks_put(table->out, pad);
			(void)fputs(cell[i], table->out);
		} else if (is_last) {
			last_put(table, cell[i], used + i * GAP);
		} else {
			(void)fputs(cell[i], table->out);
			blanks_put(table->out, pad);
		}
		used += columns + pad;
	}
}

static void header_put(const struct text_table *table)
{
	const char *title[TEXT_TABLE_COLUMNS];

	for (size_t i = 0; i < table->column_count; i++)
		title[i] = table->column[i].title;
	(void)fputs(table->title_on, table->out);
	cells_put(table, title);
	(void)fprintf(table->out, "%s\n", table->title_off);
}

/* Writes the kept rows. */
static void kept_put(struct text_table *table)
{
	if (table->has_header && !table->is_streaming && table->cell_count > 0)
		header_put(table);
	for (size_t i = 0; i < table->cell_count; i += table->column_count) {
		cells_put(table, (const char *const *)table->cell + i);
		(void)fputc('\n', table->out);
	}
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cell[i]);
	table->cell_count = 0;
}

void text_table_cell(struct text_table *table, const char *text)
{
	struct text_column *column = &table->column[table->cell_count % table->column_count];
	size_t columns = utf8_columns(text);

	if (!table->is_streaming && columns > column->width)
		column->width = columns;
	ARRAY_GROW(table->cell, table->cell_count, table->cell_capacity);
	table->cell[table->cell_count++] = xstrdup(text);
}

void text_table_row_end(struct text_table *table)
{
	assert(table->cell_count % table->column_count == 0);
	if (!table->is_streaming &&
	    table->cell_count < TEXT_TABLE_LOOKAHEAD * table->column_count)
		return;
	kept_put(table);
	table->is_streaming = true;
}

bool text_table_end(struct text_table *table)
{
	bool had_rows = table->is_streaming || table->cell_count > 0;

	if (table->column_count > 0)
		kept_put(table);
	free(table->cell);
	table->cell = NULL;
	table->cell_capacity = 0;
	return had_rows;
}
