/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A directed graph in the language of Graphviz. In a table with columns for the ends of an edge
 * (COLUMN_FROM, COLUMN_TO) every row is an edge; its other shown columns are the label. The edge is
 * red if its cell of COLUMN_MARK is not empty.
 */
#include "present/presenter.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "present/cell_text.h"

#define NONE SIZE_MAX

struct dot_presenter {
	FILE *out;
	struct instant_form instants;
	const struct column *columns;
	size_t column_count;
	size_t from_column, to_column, mark_column; /* NONE: the table has no such column */
	struct buffer cell;
};

static void *dot_begin(FILE *out, const struct presenter_options *options,
                       const struct trace_summary *trace)
{
	struct dot_presenter *self = xcalloc(1, sizeof(*self));

	(void)options;
	self->out = out;
	self->instants = trace->instants;
	buffer_init(&self->cell, BUFFER_LIMIT_DEFAULT);
	(void)fputs("digraph ftwait {\n\trankdir=LR;\n\tnode [shape=box];\n", out);
	return self;
}

static void dot_table_begin(void *state, const char *key, const char *title,
                            const struct column *columns, size_t column_count, bool is_single)
{
	struct dot_presenter *self = state;

	(void)key;
	(void)title;
	(void)is_single;
	self->columns = columns;
	self->column_count = column_count;
	self->from_column = self->to_column = self->mark_column = NONE;
	for (size_t i = 0; i < column_count; i++) {
		if (columns[i].flags & COLUMN_FROM)
			self->from_column = i;
		if (columns[i].flags & COLUMN_TO)
			self->to_column = i;
		if (columns[i].flags & COLUMN_MARK)
			self->mark_column = i;
	}
}

/* The text of a cell within quotes that are already open. */
static void quoted_put(struct dot_presenter *self, const struct cell *cell)
{
	buffer_clear(&self->cell);
	cell_text_append(&self->cell, cell, &self->instants);
	for (const char *at = self->cell.text; *at; at++) {
		if (*at == '"' || *at == '\\')
			(void)fputc('\\', self->out);
		(void)fputc(*at, self->out);
	}
}

static void label_put(struct dot_presenter *self, const struct cell *cells)
{
	const char *between = "";

	for (size_t i = 0; i < self->column_count; i++) {
		const struct column *column = &self->columns[i];

		if (i == self->from_column || i == self->to_column || !column->title ||
		    (column->flags & (COLUMN_DATA_ONLY | COLUMN_TEXT_ONLY)) ||
		    cells[i].type == CELL_EMPTY)
			continue;
		(void)fputs(between, self->out);
		/* the label names all times except the weight */
		if (!(column->flags & COLUMN_WEIGHT) &&
		    (column->type == CELL_DURATION || column->type == CELL_INSTANT))
			(void)fprintf(self->out, "%s ", column->title);
		quoted_put(self, &cells[i]);
		if (column->type == CELL_COUNT)
			(void)fprintf(self->out, " %s", column->title);
		between = "\\n";
	}
}

static void dot_row(void *state, const struct cell *cells)
{
	struct dot_presenter *self = state;

	if (self->from_column == NONE || self->to_column == NONE)
		return;
	(void)fputs("\t\"", self->out);
	quoted_put(self, &cells[self->from_column]);
	(void)fputs("\" -> \"", self->out);
	quoted_put(self, &cells[self->to_column]);
	(void)fputs("\" [label=\"", self->out);
	label_put(self, cells);
	(void)fputs("\"", self->out);
	if (self->mark_column != NONE && cells[self->mark_column].type != CELL_EMPTY)
		(void)fputs(", color=red, penwidth=2", self->out);
	(void)fputs("];\n", self->out);
}

static void dot_end(void *state, const struct health *health)
{
	struct dot_presenter *self = state;

	(void)health;
	(void)fputs("}\n", self->out);
	buffer_release(&self->cell);
	free(self);
}

const struct presenter dot_presenter = {
	.name = "dot",
	.view = "graph",
	.has_instants = true,
	.folds_names = true,
	.begin = dot_begin,
	.table_begin = dot_table_begin,
	.row = dot_row,
	.end = dot_end,
};
