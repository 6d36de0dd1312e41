/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/utf8.h"
#include "present/text/text_fold.h"

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

struct text_column *text_table_column(struct text_table *table, const char *title,
                                      enum text_form form)
{
	struct text_column *column = &table->column[table->column_count++];

	assert(table->column_count <= TEXT_TABLE_COLUMNS && table->cell_count == 0);
	*column = (struct text_column){
		.title = title,
		.form = form,
		.width = table->has_header ? utf8_columns(title) : 0,
	};
	return column;
}

/* A row while it is written. */
struct row_line {
	struct buffer text;
	size_t used; /* columns */
	size_t owed; /* columns that cells took beyond their width, and that later blanks must
	                give back */
};

static void blanks_append(struct row_line *line, size_t count)
{
	buffer_put_blanks(&line->text, count);
	line->used += count;
}

/* The number of blanks beside a cell that has `columns` columns of the `shown` ones. */
static size_t row_pad(const struct text_table *table, struct row_line *line, size_t shown,
                      size_t columns)
{
	size_t pad = shown > columns ? shown - columns : 0, given;

	if (table->width == 0)
		return pad;
	line->owed += columns > shown ? columns - shown : 0;
	given = line->owed < pad ? line->owed : pad;
	line->owed -= given;
	return pad - given;
}

static size_t cell_room(const struct text_table *table, const struct row_line *line,
                        size_t shown, bool is_last)
{
	if (is_last)
		return table->width > line->used ? table->width - line->used : 0;
	return shown > line->owed ? shown - line->owed : 0;
}

static void cell_append(const struct text_table *table, struct row_line *line,
                        const struct text_column *column, const char *text, bool is_last)
{
	_cleanup_(buffer_release) struct buffer cut = {0};
	size_t columns, pad;

	if (is_last && table->folds_last) {
		text_fold_append(&line->text, text, table->width, line->used, line->used);
		return;
	}
	if (table->width) {
		buffer_init(&cut, BUFFER_LIMIT_DEFAULT);
		text_cut_append(&cut, text, column->form,
		                cell_room(table, line, column->shown, is_last), table->ellipsis);
		text = cut.text;
	}
	columns = utf8_columns(text);
	pad = row_pad(table, line, column->shown, columns);
	if (column->form == TEXT_FIGURE)
		blanks_append(line, pad);
	buffer_puts(&line->text, text);
	line->used += columns;
	if (column->form != TEXT_FIGURE && !is_last)
		blanks_append(line, pad);
}

static size_t last_shown(const struct text_table *table)
{
	size_t last = table->column_count - 1;

	while (last > 0 && !text_column_is_shown(table->column, last))
		last--;
	return last;
}

/* Writes a line. If it is still too wide, it is cut as a whole: the terminal is too narrow for a
   table. */
static void line_put(const struct text_table *table, struct row_line *line)
{
	_cleanup_(buffer_release) struct buffer cut = {0};

	if (table->width == 0) {
		(void)fwrite(line->text.text, 1, line->text.length, table->out);
		return;
	}
	while (line->used > table->width && line->text.length > 0 &&
	       line->text.text[line->text.length - 1] == ' ') {
		line->text.text[--line->text.length] = '\0';
		line->used--;
	}
	if (table->folds_last || line->used <= table->width) {
		(void)fwrite(line->text.text, 1, line->text.length, table->out);
		return;
	}
	buffer_init(&cut, BUFFER_LIMIT_DEFAULT);
	text_cut_append(&cut, line->text.text, TEXT_WORDS, table->width, table->ellipsis);
	(void)fputs(cut.text, table->out);
}

static void cells_put(const struct text_table *table, const char *const *cell)
{
	size_t last = last_shown(table);
	struct row_line line = {0};
	size_t gap = 0;

	buffer_init(&line.text, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i <= last; i++) {
		if (!text_column_is_shown(table->column, i))
			continue;
		blanks_append(&line, gap);
		gap = TEXT_LAYOUT_GAP;
		/* NOLINTNEXTLINE: a row has a cell for each column */
		cell_append(table, &line, &table->column[i], cell[i], i == last);
	}
	line_put(table, &line);
	buffer_release(&line.text);
}

static void header_put(const struct text_table *table)
{
	const char *title[TEXT_TABLE_COLUMNS] = {NULL};

	for (size_t i = 0; i < table->column_count; i++)
		title[i] = table->column[i].title;
	(void)fputs(table->title_on, table->out);
	cells_put(table, title);
	(void)fprintf(table->out, "%s\n", table->title_off);
}

/* Writes the kept rows. */
static void kept_put(struct text_table *table, bool is_open)
{
	if (!table->is_streaming)
		text_layout(table->column, table->column_count, table->width, is_open);
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

static void cell_add(struct text_table *table, const char *text, bool is_blank)
{
	struct text_column *column = &table->column[table->cell_count % table->column_count];
	char *copy = xstrdup(text);
	size_t columns;

	if (table->is_ascii)
		text_make_ascii(copy);
	columns = utf8_columns(copy);
	if (!table->is_streaming && columns > column->width)
		column->width = columns;
	if (!table->is_streaming)
		column->is_blank = is_blank && (table->cell_count < table->column_count ||
		                                column->is_blank);
	ARRAY_GROW(table->cell, table->cell_count, table->cell_capacity);
	table->cell[table->cell_count++] = copy;
}

void text_table_cell(struct text_table *table, const char *text)
{
	cell_add(table, text, /* is_blank= */ false);
}

void text_table_blank_cell(struct text_table *table, const char *text)
{
	cell_add(table, text, /* is_blank= */ true);
}

void text_table_row_end(struct text_table *table)
{
	assert(table->cell_count % table->column_count == 0);
	if (!table->is_streaming &&
	    table->cell_count < TEXT_TABLE_LOOKAHEAD * table->column_count)
		return;
	kept_put(table, /* is_open= */ true);
	table->is_streaming = true;
}

bool text_table_end(struct text_table *table)
{
	bool had_rows = table->is_streaming || table->cell_count > 0;

	if (table->column_count > 0)
		kept_put(table, /* is_open= */ false);
	free(table->cell);
	table->cell = NULL;
	table->cell_capacity = 0;
	return had_rows;
}
