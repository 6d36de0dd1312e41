/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "presenter.h"

#include <assert.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/format.h"
#include "base/xalloc.h"
#include "cell_text.h"
#include "text_health.h"
#include "text_style.h"
#include "text_table.h"
#include "text_tree.h"
#include "trace_line.h"

#define INDENT_PER_DEPTH 2
#define INDENT_DEPTH_MAX 40

/* Of a terminal that is narrower a strip gets one part in so many. */
#define STRIP_WIDTH_FULL 120
#define STRIP_PART       3

struct text_presenter {
	FILE *out;
	struct presenter_options options;
	struct text_style style;
	nsec_t trace_begin;
	struct text_table table; /* of rows, or of fields: titles and values */
	bool is_in_fields;
	bool is_lacking;          /* the section has said that there is nothing */
	const char *caption;      /* of the table, until it is shown; NULL: none */
	struct text_tree *tree; /* NULL: none is being told */
	const struct column *columns;
	size_t column_count;
	size_t last_shown;  /* index of the rightmost column that is shown */
	size_t depth_column; /* SIZE_MAX: none */
	uint64_t rows;
	struct buffer cell;
};

static void trace_line_put(FILE *out, const struct text_style *style,
                           const struct trace_summary *trace)
{
	_cleanup_(buffer_release) struct buffer line = {0};

	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
	trace_line_append(&line, trace);
	(void)fprintf(out, "%s%s%s\n", style->faint, line.text, style->plain);
}

static void *text_begin(FILE *out, const struct presenter_options *options,
                        const struct trace_summary *trace)
{
	struct text_presenter *self = xcalloc(1, sizeof(*self));

	self->out = out;
	self->options = *options;
	self->style = text_style_of(options);
	self->trace_begin = trace->begin;
	buffer_init(&self->cell, BUFFER_LIMIT_DEFAULT);
	trace_line_put(out, &self->style, trace);
	return self;
}

static void fields_end(struct text_presenter *self)
{
	if (self->is_in_fields)
		(void)text_table_end(&self->table);
	self->is_in_fields = false;
}

static void text_section_begin(void *state, const char *key, const char *title, bool is_list)
{
	struct text_presenter *self = state;

	(void)key;
	(void)is_list;
	self->is_lacking = false;
	(void)fputc('\n', self->out);
	if (title)
		(void)fprintf(self->out, "%s%s%s\n", self->style.title, title, self->style.plain);
}

static const char *cell_text(struct text_presenter *self, const struct cell *cell)
{
	buffer_clear(&self->cell);
	cell_text_append(&self->cell, cell, self->trace_begin);
	return self->cell.text;
}

static void text_field(void *state, const char *key, const char *title, const struct cell *cell)
{
	struct text_presenter *self = state;

	if (!title) {
		if (key)
			return;
		fields_end(self);
		(void)fprintf(self->out, "%s\n", cell_text(self, cell));
		return;
	}
	if (!self->is_in_fields) {
		text_table_begin(&self->table, self->out, /* has_header= */ false);
		text_style_table(&self->style, &self->options, &self->table);
		text_table_column(&self->table, "", /* is_right= */ false);
		text_table_column(&self->table, "", /* is_right= */ false);
		self->is_in_fields = true;
	}
	text_table_cell(&self->table, title);
	text_table_cell(&self->table, cell_text(self, cell));
	text_table_row_end(&self->table);
}

static void text_lack(void *state, const char *text)
{
	struct text_presenter *self = state;

	self->is_lacking = true;
	(void)fprintf(self->out, "%s\n", text);
}

static bool column_is_shown(const struct column *column)
{
	return column->title && !(column->flags & COLUMN_DATA_ONLY);
}

static void columns_begin(struct text_presenter *self)
{
	text_table_begin(&self->table, self->out, /* has_header= */ true);
	text_style_table(&self->style, &self->options, &self->table);
	self->depth_column = SIZE_MAX;
	self->last_shown = 0;
	for (size_t i = 0; i < self->column_count; i++) {
		const struct column *column = &self->columns[i];

		if (column->flags & COLUMN_DEPTH)
			self->depth_column = i;
		if (!column_is_shown(column))
			continue;
		self->last_shown = i;
		text_table_column(&self->table, column->title, cell_type_is_figure(column->type));
	}
}

static void text_rows_begin(void *state, const char *key, const char *title,
                            const struct column *columns, size_t column_count, bool is_single)
{
	struct text_presenter *self = state;

	(void)key;
	(void)is_single;
	fields_end(self);
	self->columns = columns;
	self->column_count = column_count;
	self->rows = 0;
	columns_begin(self);
	self->caption = self->table.column_count ? title : NULL;
}

static void caption_put(struct text_presenter *self)
{
	if (self->caption)
		(void)fprintf(self->out, "%s\n", self->caption);
	self->caption = NULL;
}

static unsigned row_depth(const struct text_presenter *self, const struct cell *cells)
{
	uint64_t depth;

	if (self->depth_column == SIZE_MAX || cells[self->depth_column].type != CELL_COUNT)
		return 0;
	depth = cells[self->depth_column].count;
	return depth < INDENT_DEPTH_MAX ? (unsigned)depth : INDENT_DEPTH_MAX;
}

static void column_text_append(struct text_presenter *self, const struct column *column,
                               const struct cell *cell)
{
	size_t strip = self->options.width && self->options.width < STRIP_WIDTH_FULL
	                       ? self->options.width / STRIP_PART
	                       : STRIP_COLUMNS;

	if ((column->flags & COLUMN_NUMBER) && cell->type == CELL_COUNT)
		cell_plain_append(&self->cell, cell);
	else if (cell->type == CELL_SERIES)
		series_strip_append(&self->cell, &cell->series, strip, self->options.utf8);
	else
		cell_text_append(&self->cell, cell, self->trace_begin);
}

static void table_row(struct text_presenter *self, const struct cell *cells)
{
	caption_put(self);
	for (size_t i = 0; i < self->column_count; i++) {
		if (!column_is_shown(&self->columns[i]))
			continue;
		buffer_clear(&self->cell);
		if (i == self->last_shown)
			buffer_printf(&self->cell, "%*s",
			              (int)row_depth(self, cells) * INDENT_PER_DEPTH, "");
		column_text_append(self, &self->columns[i], &cells[i]);
		text_table_cell(&self->table, self->cell.text);
	}
	text_table_row_end(&self->table);
}

static void text_row(void *state, const struct cell *cells)
{
	struct text_presenter *self = state;

	self->rows++;
	if (self->table.column_count > 0 &&
	    (self->options.top == 0 || self->rows <= self->options.top))
		table_row(self, cells);
}

static void text_rows_end(void *state)
{
	struct text_presenter *self = state;
	bool is_shown = self->table.column_count > 0;
	char more[FORMAT_BYTES];

	if (!text_table_end(&self->table) && is_shown && !self->is_lacking) {
		caption_put(self);
		(void)fputs("(none)\n", self->out);
	}
	if (is_shown && self->options.top && self->rows > self->options.top)
		(void)fprintf(self->out, "... %s more (--top 0 shows all)\n",
		              format_count(self->rows - self->options.top, more));
}

static unsigned text_row_limit(const void *state)
{
	const struct text_presenter *self = state;

	return self->options.top;
}

static void text_rows_left(void *state, size_t count)
{
	struct text_presenter *self = state;

	self->rows += count;
}

static void text_tree_begins(void *state, const struct tree *tree)
{
	struct text_presenter *self = state;

	fields_end(self);
	self->tree = text_tree_begin(self->out, &self->options, &self->style, tree,
	                             self->trace_begin);
}

static bool text_tree_node_put(void *state, unsigned depth, const struct tree_node *node)
{
	struct text_presenter *self = state;

	return text_tree_node(self->tree, depth, node);
}

static void text_tree_ends(void *state)
{
	struct text_presenter *self = state;

	text_tree_end(self->tree);
	self->tree = NULL;
}

static void text_section_end(void *state)
{
	fields_end(state);
}

static void text_end(void *state, const struct health *health)
{
	struct text_presenter *self = state;

	(void)fputc('\n', self->out);
	text_health_put(self->out, &self->style, health, self->trace_begin,
	                self->options.is_verbose);
	buffer_release(&self->cell);
	free(self);
}

const struct presenter text_presenter = {
	.name = "text",
	.has_health = true,
	.begin = text_begin,
	.section_begin = text_section_begin,
	.field = text_field,
	.lack = text_lack,
	.table_begin = text_rows_begin,
	.row = text_row,
	.table_end = text_rows_end,
	.row_limit = text_row_limit,
	.rows_left = text_rows_left,
	.tree_begin = text_tree_begins,
	.tree_node = text_tree_node_put,
	.tree_end = text_tree_ends,
	.section_end = text_section_end,
	.end = text_end,
};
