/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_tree.h"

#include <inttypes.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "cell_text.h"
#include "text_table.h"

/* Nodes below both are summed. */
#define SHARE_LEAST      0.01 /* of the whole */
#define ROOT_SHARE_LEAST 0.1  /* of the root the node stands under */

struct tree_printer {
	const struct link_tree *tree;
	const struct text_style *style;
	struct text_table *table;
	unsigned top;
	nsec_t trace_begin;
	nsec_t root_total;
	struct buffer prefix; /* tree lines of the levels above */
	struct buffer cell;
};

static double share(nsec_t total, nsec_t whole)
{
	return whole ? (double)total / (double)whole : 0;
}

static nsec_t total_of(const struct tree_printer *printer, uint32_t node)
{
	return printer->tree->node[node].figures.total;
}

static void cell_put(struct tree_printer *printer, const struct cell *cell)
{
	buffer_clear(&printer->cell);
	cell_text_append(&printer->cell, cell, printer->trace_begin);
	text_table_cell(printer->table, printer->cell.text);
}

/* The first cells of a line, which hold for any sum of chains. */
#define FIGURES_SUMMABLE 2

static void figures_put(struct tree_printer *printer, const struct link_figures *figures,
                        bool is_exact)
{
	struct cell cells[] = {
		{.type = CELL_DURATION, .time = figures->total},
		{.type = CELL_RATIO, .ratio = share(figures->total, total_of(printer, 0))},
		{.type = CELL_COUNT, .count = figures->count},
		{.type = CELL_DURATION, .time = figures->longest},
		{.type = CELL_INSTANT, .time = figures->longest_at},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		if (i >= FIGURES_SUMMABLE && !is_exact)
			cells[i].type = CELL_EMPTY;
		cell_put(printer, &cells[i]);
	}
}

static void label_put(struct tree_printer *printer, const char *line, const char *label)
{
	buffer_clear(&printer->cell);
	buffer_puts(&printer->cell, printer->prefix.text);
	buffer_puts(&printer->cell, line);
	buffer_puts(&printer->cell, label);
	text_table_cell(printer->table, printer->cell.text);
	text_table_row_end(printer->table);
}

/* One line for the siblings that are not shown. */
static void rest_put(struct tree_printer *printer, const char *line,
                     const struct link_figures *rest, bool is_exact, uint64_t nodes)
{
	char label[64];

	(void)snprintf(label, sizeof(label), "... %" PRIu64 " more", nodes);
	figures_put(printer, rest, is_exact);
	label_put(printer, line, label);
}

static bool is_large(const struct tree_printer *printer, nsec_t total)
{
	return share(total, total_of(printer, 0)) >= SHARE_LEAST ||
	       share(total, printer->root_total) >= ROOT_SHARE_LEAST;
}

/* How many of the children, largest first, get lines of their own. */
static uint32_t shown_count(const struct tree_printer *printer, uint32_t parent,
                            const uint32_t *child, unsigned depth)
{
	uint32_t count = printer->tree->node[parent].child_count, shown = 0;

	if (printer->top == 0)
		return count;
	while (shown < count && shown < printer->top &&
	       (depth == 0 || is_large(printer, total_of(printer, child[shown]))))
		shown++;
	/* What a large node mostly waited for is worth a line even if it is many small things. */
	if (shown == 0 && count > 0 && is_large(printer, total_of(printer, parent)))
		shown = 1;
	/* "... 1 more" would take the line that the one itself needs. */
	return depth && shown + 1 == count ? count : shown;
}

static void children_put(struct tree_printer *printer, uint32_t parent, unsigned depth);

static void node_put(struct tree_printer *printer, uint32_t node, unsigned depth, bool is_last)
{
	const struct text_style *style = printer->style;
	size_t prefix_length = printer->prefix.length;

	figures_put(printer, &printer->tree->node[node].figures,
	            link_node_is_exact(&printer->tree->node[node]));
	label_put(printer, depth == 0 ? "" : is_last ? style->last_branch : style->branch,
	          link_tree_label(printer->tree, node));
	if (depth == 0)
		printer->root_total = total_of(printer, node);
	else
		buffer_puts(&printer->prefix, is_last ? style->no_trunk : style->trunk);
	children_put(printer, node, depth + 1);
	printer->prefix.length = prefix_length;
	printer->prefix.text[prefix_length] = '\0';
}

/* Not deeper than LINK_TREE_DEPTH_MAX calls. */
static void children_put(struct tree_printer *printer, uint32_t parent, unsigned depth)
{
	const struct link_tree *tree = printer->tree;
	_cleanup_(freep) uint32_t *child = link_tree_children(tree, parent);
	uint32_t count = tree->node[parent].child_count;
	uint32_t shown = shown_count(printer, parent, child, depth);
	struct link_figures rest = {.longest_at = NSEC_NEVER};
	bool is_exact = depth == 0; /* no wait has two outermost waiters */

	for (uint32_t i = 0; i < shown; i++)
		node_put(printer, child[i], depth, /* is_last= */ i + 1 == count);
	for (uint32_t i = shown; i < count; i++) {
		link_figures_add(&rest, &tree->node[child[i]].figures);
		is_exact &= link_node_is_exact(&tree->node[child[i]]);
	}
	/* Where nothing is shown the line of the parent says as much. */
	if (shown < count && (shown > 0 || depth == 0))
		rest_put(printer, depth ? printer->style->last_branch : "", &rest, is_exact,
		         count - shown);
}

static void columns_put(struct text_table *table)
{
	text_table_column(table, "TOTAL", /* is_right= */ true);
	text_table_column(table, "SHARE", /* is_right= */ true);
	text_table_column(table, "COUNT", /* is_right= */ true);
	text_table_column(table, "LONGEST", /* is_right= */ true);
	text_table_column(table, "AT", /* is_right= */ true);
	text_table_column(table, "WHO WAITED, FOR WHOM, FOR WHAT", /* is_right= */ false);
}

void text_tree_put(FILE *out, const struct presenter_options *options,
                   const struct text_style *style, const struct link_tree *tree,
                   nsec_t trace_begin)
{
	struct text_table table;
	struct tree_printer printer = {
		.tree = tree,
		.style = style,
		.table = &table,
		.top = options->top,
		.trace_begin = trace_begin,
	};
	char total[FORMAT_BYTES], count[FORMAT_BYTES];

	text_table_begin(&table, out, /* has_header= */ true);
	table.title_on = style->title;
	table.title_off = style->plain;
	table.ellipsis = style->ellipsis;
	table.width = options->width;
	columns_put(&table);
	buffer_init(&printer.prefix, BUFFER_LIMIT_DEFAULT);
	buffer_init(&printer.cell, BUFFER_LIMIT_DEFAULT);
	children_put(&printer, 0, 0);
	if (!text_table_end(&table))
		(void)fputs("(none)\n", out);
	if (tree->rows_left_out)
		(void)fprintf(out, "... %s small chains more, together %s, are not in the tree\n",
		              format_count(tree->rows_left_out, count),
		              format_duration(tree->total_left_out, total));
	buffer_release(&printer.prefix);
	buffer_release(&printer.cell);
}
