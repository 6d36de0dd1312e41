/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html_table.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "present/cell_text.h"
#include "present/presenter.h"
#include "present/picture/svg_text.h"

#define INDENT_MAX  16  /* number of levels of a tree that are indented; deeper ones are not
                           indented further */
#define TREE_LEAST  500 /* a branch that is less than the whole divided by this has no row */

void html_table_init(struct html_table *table, FILE *out, const struct instant_form *instants,
                     unsigned row_limit)
{
	*table = (struct html_table){
		.out = out, .instants = *instants, .row_limit = row_limit,
	};
	buffer_init(&table->text, BUFFER_LIMIT_DEFAULT);
	buffer_init(&table->row, SIZE_MAX / 2);
}

void html_table_release(struct html_table *table)
{
	buffer_release(&table->text);
	buffer_release(&table->row);
}

void html_table_section(struct html_table *table, const char *key)
{
	(void)snprintf(table->section, sizeof(table->section), "%s", key ? key : "");
}

/* The title, with its units and marks, is for people; the key is for scripts and tests. */
static void header_put(const struct html_table *table, const struct column *column)
{
	(void)fputs("<th scope=\"col\"", table->out);
	if (column->key)
		(void)fprintf(table->out, " data-key=\"%s\"", column->key);
	if (cell_type_is_figure(column->type))
		(void)fputs(" class=\"figure\"", table->out);
	(void)fputc('>', table->out);
	svg_text_put(table->out, column->title);
	(void)fputs("</th>", table->out);
}

static bool column_is_shown(const struct column *column)
{
	return column->title && !(column->flags & COLUMN_DATA_ONLY);
}

static bool any_column_is_shown(const struct html_table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (column_is_shown(&table->columns[i]))
			return true;
	return false;
}

static void table_open(struct html_table *table, const char *key, const char *title,
                       const char *class)
{
	table->rows = 0;
	table->rows_left = 0;
	(void)fprintf(table->out, "<div class=\"table\"><table%s", class);
	if (key)
		(void)fprintf(table->out, " data-key=\"%s\"", key);
	if (key && *table->section)
		(void)fprintf(table->out, " id=\"%s-%s\"", table->section, key);
	(void)fputc('>', table->out);
	if (title) {
		(void)fputs("<caption>", table->out);
		svg_text_put(table->out, title);
		(void)fputs("</caption>", table->out);
	}
	(void)fputs("\n<thead><tr>", table->out);
}

void html_table_begin(struct html_table *table, const char *key, const char *title,
                      const struct column *columns, size_t column_count)
{
	table->columns = columns;
	table->column_count = column_count;
	table->is_shown = any_column_is_shown(table);
	if (!table->is_shown)
		return;
	table_open(table, key, title, "");
	for (size_t i = 0; i < column_count; i++)
		if (column_is_shown(&columns[i]))
			header_put(table, &columns[i]);
	(void)fputs("</tr></thead>\n<tbody>\n", table->out);
}

static void number_attribute(struct buffer *to, const char *name, uint64_t number)
{
	buffer_putc(to, ' ');
	buffer_puts(to, name);
	buffer_puts(to, "=\"");
	buffer_put_u64(to, number);
	buffer_putc(to, '"');
}

static void instant_put(struct html_table *table, nsec_t at)
{
	if (at == NSEC_NEVER)
		return;
	at = at > table->instants.begin ? at - table->instants.begin : 0;
	number_attribute(&table->row, "data-at", at);
	number_attribute(&table->row, "data-value", at);
}

static void value_put(struct html_table *table, const struct cell *cell)
{
	struct buffer *to = &table->row;

	if (cell->type == CELL_DURATION && cell->time != NSEC_NEVER)
		number_attribute(to, "data-value", cell->time);
	else if (cell->type == CELL_COUNT)
		number_attribute(to, "data-value", cell->count);
	else if (cell->type == CELL_INTEGER || cell->type == CELL_PRIORITY)
		buffer_printf(to, " data-value=\"%" PRId64 "\"", cell->integer);
	else if (cell->type == CELL_RATIO || cell->type == CELL_RATE)
		buffer_printf(to, " data-value=\"%.6f\"", cell->ratio);
	else if (cell->type == CELL_DISTRIBUTION)
		number_attribute(to, "data-value", cell->distribution->max);
	else if (cell->type == CELL_INSTANT)
		instant_put(table, cell->time);
	else if (cell->type == CELL_TASK)
		buffer_printf(to, " data-tid=\"%d\"", cell->task.tid);
	if (cell->type == CELL_TASK && cell->task.host)
		number_attribute(to, "data-machine", cell->task.machine);
}

/* An empty cell is aligned like its column. */
static void cell_append(struct html_table *table, const char *element, enum cell_type type,
                        const struct cell *cell)
{
	struct buffer *to = &table->row;

	buffer_putc(to, '<');
	buffer_puts(to, element);
	if (cell_type_is_figure(type))
		buffer_puts(to, " class=\"figure\"");
	else if (type == CELL_SERIES)
		buffer_puts(to, " class=\"strip\"");
	value_put(table, cell);
	buffer_putc(to, '>');
	buffer_clear(&table->text);
	if (cell->type == CELL_SERIES)
		series_strip_append(&table->text, &cell->series, STRIP_COLUMNS, /* utf8= */ true);
	else
		cell_text_append(&table->text, cell, &table->instants);
	svg_text_append(to, table->text.text);
	buffer_puts(to, "</");
	buffer_puts(to, element);
	buffer_putc(to, '>');
}

static void row_flush(struct html_table *table)
{
	(void)fwrite(table->row.text, 1, table->row.length, table->out);
	buffer_clear(&table->row);
}

void html_cell_put(struct html_table *table, const char *element, const struct cell *cell)
{
	cell_append(table, element, cell->type, cell);
	row_flush(table);
}

/* Whether a column says so of the row. */
static bool row_is_marked(const struct html_table *table, const struct cell *cells)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].flags & COLUMN_MARK && cells[i].type == CELL_BOOL &&
		    cells[i].boolean)
			return true;
	return false;
}

void html_table_row(struct html_table *table, const struct cell *cells)
{
	if (!table->is_shown)
		return;
	if (table->row_limit && table->rows == table->row_limit) {
		table->rows_left++;
		return;
	}
	table->rows++;
	buffer_puts(&table->row, row_is_marked(table, cells) ? "<tr class=\"marked\">" : "<tr>");
	for (size_t i = 0; i < table->column_count; i++)
		if (column_is_shown(&table->columns[i]))
			cell_append(table, "td", table->columns[i].type, &cells[i]);
	buffer_puts(&table->row, "</tr>\n");
	row_flush(table);
}

void html_table_end(struct html_table *table)
{
	if (!table->is_shown)
		return;
	(void)fputs("</tbody></table></div>\n", table->out);
	if (table->rows_left)
		(void)fprintf(table->out, "<p class=\"left\">%zu row%s more</p>\n",
		              table->rows_left, format_plural(table->rows_left));
}

static const struct column tree_columns[TREE_FIGURES] = {
	{"total_ns", "TOTAL", CELL_DURATION, 0},
	{"share", "SHARE", CELL_RATIO, 0},
	{"count", "COUNT", CELL_COUNT, 0},
	{"max_ns", "MAX", CELL_DURATION, 0},
	{"max_at_ns", "AT", CELL_INSTANT, 0},
};

void html_tree_begin(struct html_table *table, const struct tree *tree)
{
	table->is_shown = true;
	table->tree_total = tree->total;
	table_open(table, tree->key, NULL, " class=\"tree\"");
	(void)fputs("<th scope=\"col\">", table->out);
	svg_text_put(table->out, tree->title);
	(void)fputs("</th>", table->out);
	for (size_t i = 0; i < TREE_FIGURES; i++)
		header_put(table, &tree_columns[i]);
	(void)fputs("</tr></thead>\n<tbody>\n", table->out);
}

bool html_tree_node(struct html_table *table, unsigned depth, const struct tree_node *node)
{
	const struct figures *figures = &node->figures;
	nsec_t whole = table->tree_total;
	struct cell cells[TREE_FIGURES];

	if (figures->total < whole / TREE_LEAST ||
	    (table->row_limit && table->rows == table->row_limit)) {
		table->rows_left++;
		return false;
	}
	table->rows++;
	buffer_puts(&table->row, "<tr><td class=\"depth-");
	buffer_put_u64(&table->row, depth < INDENT_MAX ? depth : INDENT_MAX);
	buffer_puts(&table->row, "\">");
	svg_text_append(&table->row, node->label);
	buffer_puts(&table->row, "</td>");
	tree_cells(figures, node->is_exact, whole, cells);
	for (size_t i = 0; i < TREE_FIGURES; i++)
		cell_append(table, "td", tree_columns[i].type, &cells[i]);
	buffer_puts(&table->row, "</tr>\n");
	row_flush(table);
	return true;
}
