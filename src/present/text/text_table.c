/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_table.h"

#include <assert.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/utf8.h"
#include "ftwait/report.h"
#include "text_fold.h"

/* With fewer columns than _GOOD a text is shown poorly, with fewer than _LEAST it is unreadable,
   with fewer than _FLOOR it is useless. */
#define NAME_GOOD   24 /* a name of 15 bytes and the tid of a large machine */
#define NAME_LEAST  16
#define WORDS_GOOD  32
#define WORDS_LEAST 18
#define CAUSE_GOOD  36
#define CAUSE_LEAST 24
#define LABEL_GOOD  60 /* includes the tree lines */
#define LABEL_LEAST 40
#define NAME_FLOOR  8
#define CAUSE_FLOOR 12

/* The widths that a column may demand, in ascending order. */
enum demand {
	DEMAND_FLOOR,
	DEMAND_LEAST,
	DEMAND_GOOD,
	DEMAND_ALL,
};

bool text_column_is_shown(const struct text_column *columns, size_t at)
{
	const struct text_column *column = &columns[at];

	assert(at > 0 || !column->is_stand_in);
	return !column->is_left_out && (!column->is_stand_in || columns[at - 1].is_left_out);
}

static const size_t text_most[][DEMAND_ALL] = {
	[TEXT_NAME] = {NAME_FLOOR, NAME_LEAST, NAME_GOOD},
	[TEXT_WORDS] = {NAME_FLOOR, WORDS_LEAST, WORDS_GOOD},
	[TEXT_CAUSE] = {CAUSE_FLOOR, CAUSE_LEAST, CAUSE_GOOD},
	[TEXT_LABEL] = {CAUSE_FLOOR, LABEL_LEAST, LABEL_GOOD},
	[TEXT_BAR] = {NAME_FLOOR, NAME_LEAST, NAME_GOOD},
};

static bool column_may_be_cut(const struct text_column *column)
{
	return column->form != TEXT_FIGURE && column->form != TEXT_FIXED;
}

static size_t column_demand(const struct text_column *column, enum demand demand)
{
	size_t most;

	if (!column_may_be_cut(column) || demand == DEMAND_ALL)
		return column->width;
	most = text_most[column->form][demand];
	return column->width < most ? column->width : most;
}

/* The width of a row in which every column gets the width that it demands. */
static size_t row_demand(const struct text_column *columns, size_t count, enum demand demand)
{
	size_t sum = 0, shown = 0;

	for (size_t i = 0; i < count; i++) {
		if (!text_column_is_shown(columns, i))
			continue;
		sum += column_demand(&columns[i], demand);
		shown++;
	}
	return shown > 1 ? sum + (shown - 1) * TEXT_LAYOUT_GAP : sum;
}

/* The demand that texts must meet: if they cannot, a column of that rank is left out. */
static enum demand demand_before(unsigned rank)
{
	return rank < TEXT_RANK_USEFUL ? DEMAND_GOOD : DEMAND_LEAST;
}

static bool any_is_shown(const struct text_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_column_is_shown(columns, i))
			return true;
	return false;
}

/* Columns are left out in steps: 1 to TEXT_RANK_LAST are the blank columns by rank, further steps
   the other ones by rank. */
#define STEP_LAST (2 * TEXT_RANK_LAST)

static bool step_is_of_blank(unsigned step)
{
	return step <= TEXT_RANK_LAST;
}

static unsigned step_rank(unsigned step)
{
	return step_is_of_blank(step) ? step : step - TEXT_RANK_LAST;
}

static void step_set(struct text_column *columns, size_t count, unsigned step, bool is_left_out)
{
	for (size_t i = 0; i < count; i++)
		if (columns[i].rank == step_rank(step) &&
		    columns[i].is_blank == step_is_of_blank(step))
			columns[i].is_left_out = is_left_out;
}

/* Leaves out the columns of that step, unless no column would be left. */
static void step_leave_out(struct text_column *columns, size_t count, unsigned step)
{
	step_set(columns, count, step, /* is_left_out= */ true);
	if (!any_is_shown(columns, count))
		step_set(columns, count, step, /* is_left_out= */ false);
}

/* Whether a row fits, so that the step need not be taken: no text is cut for a blank column. */
static bool row_fits(const struct text_column *columns, size_t count, unsigned step, size_t width)
{
	enum demand demand = step_is_of_blank(step) ? DEMAND_GOOD : demand_before(step_rank(step));

	return row_demand(columns, count, demand) <= width;
}

/* Leaves columns out until a row fits; then restores columns for which there is room: a narrow
   column may have been left out before a wide one. */
static void columns_choose(struct text_column *columns, size_t count, size_t width)
{
	unsigned step = 1;

	for (; step <= STEP_LAST && !row_fits(columns, count, step, width); step++)
		step_leave_out(columns, count, step);
	while (--step > 0) {
		step_set(columns, count, step, /* is_left_out= */ false);
		if (!row_fits(columns, count, step, width))
			step_leave_out(columns, count, step);
	}
}

/* Distributes the remaining room among the columns that demand more, one terminal column at a
   time. */
static void columns_raise(struct text_column *columns, size_t count, enum demand demand,
                          size_t room)
{
	bool is_dealt = true;

	while (room > 0 && is_dealt) {
		is_dealt = false;
		for (size_t i = 0; i < count && room > 0; i++) {
			struct text_column *column = &columns[i];

			if (!text_column_is_shown(columns, i) ||
			    column->shown >= column_demand(column, demand))
				continue;
			column->shown++;
			room--;
			is_dealt = true;
		}
	}
}

/* Widens columns of texts in advance, as later rows may have longer texts. */
static void texts_foresee(struct text_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t good = column_may_be_cut(&columns[i])
		                      ? text_most[columns[i].form][DEMAND_GOOD]
		                      : 0;

		if (columns[i].width < good && columns[i].form != TEXT_BAR)
			columns[i].width = good;
	}
}

void text_layout(struct text_column *columns, size_t count, size_t width, bool is_open)
{
	enum demand demand = DEMAND_ALL;
	size_t row;

	for (size_t i = 0; i < count; i++)
		columns[i].is_left_out = false;
	if (width)
		columns_choose(columns, count, width);
	while (width && demand > DEMAND_FLOOR && row_demand(columns, count, demand) > width)
		demand--;
	for (size_t i = 0; i < count; i++)
		columns[i].shown = column_demand(&columns[i], demand);
	row = row_demand(columns, count, demand);
	if (row >= width)
		return;
	if (demand == DEMAND_ALL && is_open)
		texts_foresee(columns, count);
	columns_raise(columns, count, demand < DEMAND_ALL ? demand + 1 : demand, width - row);
}

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

	while (table->width && line->used > table->width && line->text.length > 0 &&
	       line->text.text[line->text.length - 1] == ' ') {
		line->text.text[--line->text.length] = '\0';
		line->used--;
	}
	if (table->width == 0 || table->folds_last || line->used <= table->width) {
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

static void below_put(const struct text_table *table, size_t row)
{
	if (row < table->below_count && table->below[row])
		(void)fputs(table->below[row], table->out);
}

static void link_put(const struct text_table *table, size_t row)
{
	if (row < table->link_count && table->link[row])
		(void)fprintf(table->out, "%c%s%c", LINK_BEGIN, table->link[row], LINK_END);
}

/* Writes the kept rows. */
static void kept_put(struct text_table *table, bool is_open)
{
	if (!table->is_streaming)
		text_layout(table->column, table->column_count, table->width, is_open);
	if (table->has_header && !table->is_streaming && table->cell_count > 0)
		header_put(table);
	for (size_t i = 0; i < table->cell_count; i += table->column_count) {
		link_put(table, i / table->column_count);
		cells_put(table, (const char *const *)table->cell + i);
		(void)fputc('\n', table->out);
		below_put(table, i / table->column_count);
	}
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cell[i]);
	for (size_t i = 0; i < table->below_count; i++)
		free(table->below[i]);
	for (size_t i = 0; i < table->link_count; i++)
		free(table->link[i]);
	table->cell_count = table->below_count = table->link_count = 0;
}

void text_table_cell_of(struct text_table *table, const char *text, bool is_blank)
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
	ARRAY_ADD(table->cell, table->cell_count, table->cell_capacity) = copy;
}

void text_table_cell(struct text_table *table, const char *text)
{
	text_table_cell_of(table, text, /* is_blank= */ false);
}

void text_table_below(struct text_table *table, const char *line)
{
	_cleanup_(buffer_release) struct buffer lines = buffer_of(BUFFER_LIMIT_DEFAULT);
	size_t row = table->cell_count / table->column_count - 1;

	ARRAY_REACH(table->below, table->below_count, table->below_capacity, row);
	buffer_puts(&lines, table->below[row] ? table->below[row] : "");
	text_cut_append(&lines, line, TEXT_WORDS, table->width ? table->width : SIZE_MAX,
	                table->ellipsis);
	buffer_putc(&lines, '\n');
	free(table->below[row]);
	table->below[row] = xstrdup(lines.text);
	if (table->is_ascii)
		text_make_ascii(table->below[row]);
}

void text_table_link(struct text_table *table, const char *options)
{
	size_t row = table->cell_count / table->column_count - 1;

	ARRAY_REACH(table->link, table->link_count, table->link_capacity, row);
	free(table->link[row]);
	table->link[row] = xstrdup(options);
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
	free(table->below);
	table->below = NULL;
	free(table->link);
	table->link = NULL;
	table->cell_capacity = table->below_capacity = table->link_capacity = 0;
	return had_rows;
}
