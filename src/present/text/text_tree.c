/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_tree.h"

#include <assert.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "base/text/utf8.h"
#include "base/xalloc.h"
#include "present/cell_text.h"
#include "present/presenter.h"

/* Siblings that are less than both of these are summed up in one line. */
#define SHARE_LEAST      0.01 /* part of the whole */
#define ROOT_SHARE_LEAST 0.1  /* part of the root above the node */

#define PREFIX_SHARE 4 /* tree lines take at most the width divided by this */

/* The children of one node, as they arrive. */
struct siblings {
	size_t count;         /* number of all siblings, including those that have not come yet */
	size_t seen, shown;
	size_t prefix_length; /* length of the tree lines before them */
	nsec_t parent_total;
	struct figures rest;  /* sum of the siblings that are not shown */
	bool rest_is_exact;
};

struct text_tree {
	struct text_page *page;
	const struct tree *tree;
	struct text_table table;
	unsigned top;
	const struct instant_form *instants;
	nsec_t root_total;    /* of the current root */
	struct buffer prefix; /* tree lines of the levels above */
	struct buffer cell;
	struct siblings siblings[TREE_DEPTH_MAX + 1]; /* by depth */
};

static void figures_put(struct text_tree *self, const struct figures *figures, bool is_exact)
{
	struct cell cells[TREE_FIGURES];

	tree_cells(figures, is_exact, self->tree->total, cells);
	for (size_t i = 0; i < TREE_FIGURES; i++) {
		buffer_clear(&self->cell);
		cell_text_append(&self->cell, &cells[i], self->instants);
		text_table_cell(&self->table, self->cell.text);
	}
}

/* Appends the tree lines of the levels above a node: as many of the outermost levels as there is
   room for, and the depth if some are missing. */
static void prefix_append(struct text_tree *self, unsigned depth)
{
	size_t level_columns = utf8_columns(self->page->style.trunk);
	size_t width = self->page->options.width, levels = self->prefix.length ? depth - 1 : 0;
	size_t most = width / PREFIX_SHARE / level_columns;

	if (width == 0 || levels <= most) {
		buffer_puts(&self->cell, self->prefix.text);
		return;
	}
	buffer_append(&self->cell, self->prefix.text,
	              utf8_prefix(self->prefix.text, most * level_columns));
	buffer_printf(&self->cell, "%s%u ", self->page->style.ellipsis, depth);
}

/* `branch`: the tree line of the node itself. */
static void label_put(struct text_tree *self, unsigned depth, const char *branch,
                      const char *label)
{
	buffer_clear(&self->cell);
	prefix_append(self, depth);
	buffer_puts(&self->cell, branch);
	buffer_puts(&self->cell, label);
	text_table_cell(&self->table, self->cell.text);
}

static bool is_large(const struct text_tree *self, nsec_t total)
{
	return nsec_ratio(total, self->tree->total) >= SHARE_LEAST ||
	       nsec_ratio(total, self->root_total) >= ROOT_SHARE_LEAST;
}

/* Whether the next sibling gets a line of its own. Siblings come largest first. */
static bool is_shown(const struct text_tree *self, unsigned depth, nsec_t total)
{
	const struct siblings *siblings = &self->siblings[depth];

	if (self->top == 0)
		return true;
	if (siblings->shown < siblings->seen)
		return false;
	if (siblings->seen < self->top && (depth == 0 || is_large(self, total)))
		return true;
	/* The largest child of a large node is worth a line, even if the node consists of many
	   small children. */
	if (siblings->seen == 0 && is_large(self, siblings->parent_total))
		return true;
	/* A line "... 1 more" would take as much room as the node itself. */
	return depth && siblings->seen + 1 == siblings->count;
}

/* Writes one line for the siblings that are not shown. */
static void rest_put(struct text_tree *self, unsigned depth)
{
	const struct siblings *siblings = &self->siblings[depth];
	char label[64];

	/* If no child is shown, the parent's line already has the same figures. */
	if (siblings->shown == 0 && depth > 0)
		return;
	(void)snprintf(label, sizeof(label), "... %zu more", siblings->count - siblings->shown);
	figures_put(self, &siblings->rest, siblings->rest_is_exact);
	label_put(self, depth, depth ? self->page->style.last_branch : "", label);
	text_table_row_end(&self->table);
}

static void siblings_begin(struct text_tree *self, unsigned depth, size_t count, nsec_t total)
{
	assert(depth < ARRAY_SIZE(self->siblings));
	self->siblings[depth] = (struct siblings){
		.count = count,
		.prefix_length = self->prefix.length,
		.parent_total = total,
		.rest = {.longest_at = NSEC_NEVER},
		.rest_is_exact = depth == 0, /* a wait has only one outermost waiter, so counts
		                                of roots may be added */
	};
}

static void node_put(struct text_tree *self, unsigned depth, const struct tree_node *node,
                     bool is_last)
{
	const struct text_style *style = &self->page->style;

	figures_put(self, &node->figures, node->is_exact);
	label_put(self, depth, depth == 0 ? "" : is_last ? style->last_branch : style->branch,
	          node->label);
	if (node->next && self->page->options.has_links)
		text_table_link(&self->table, node->next);
	text_page_rows_below(&self->table, &node->evidence.rows, self->instants);
	text_table_row_end(&self->table);
	if (depth == 0)
		self->root_total = node->figures.total;
	else
		buffer_puts(&self->prefix, is_last ? style->no_trunk : style->trunk);
	siblings_begin(self, depth + 1, node->child_count, node->figures.total);
}

bool text_tree_node(struct text_tree *self, unsigned depth, const struct tree_node *node)
{
	struct siblings *siblings = &self->siblings[depth];
	bool shows = is_shown(self, depth, node->figures.total);
	bool is_last = ++siblings->seen == siblings->count;

	self->prefix.length = siblings->prefix_length;
	self->prefix.text[siblings->prefix_length] = '\0';
	if (shows) {
		siblings->shown++;
		node_put(self, depth, node, is_last);
		return true;
	}
	figures_add(&siblings->rest, &node->figures);
	siblings->rest_is_exact &= node->is_exact;
	if (is_last)
		rest_put(self, depth);
	return false;
}

static void columns_put(struct text_table *table, const char *title)
{
	text_table_column(table, "TOTAL", TEXT_FIGURE)->rank = 0;
	text_table_column(table, "SHARE", TEXT_FIGURE)->rank = TEXT_RANK_USEFUL;
	text_table_column(table, "COUNT", TEXT_FIGURE)->rank = TEXT_RANK_SPARE + 2;
	text_table_column(table, "LONGEST", TEXT_FIGURE)->rank = TEXT_RANK_SPARE + 1;
	text_table_column(table, "AT", TEXT_FIGURE)->rank = TEXT_RANK_SPARE;
	text_table_column(table, title, TEXT_LABEL)->rank = 0;
}

struct text_tree *text_tree_begin(struct text_page *page, const struct tree *tree,
                                  const struct instant_form *instants)
{
	struct text_tree *self = xcalloc(1, sizeof(*self));

	self->page = page;
	self->tree = tree;
	self->top = page->options.top;
	self->instants = instants;
	text_page_table_begin(page, &self->table, /* has_header= */ true);
	columns_put(&self->table, tree->title);
	buffer_init(&self->prefix, BUFFER_LIMIT_DEFAULT);
	buffer_init(&self->cell, BUFFER_LIMIT_DEFAULT);
	siblings_begin(self, 0, tree->root_count, tree->total);
	return self;
}

static void left_out_put(const struct text_tree *self)
{
	_cleanup_(freep) char *line =
		xasprintf("... %s small chains more, together %s, are not in the tree",
	                  COUNT_TEXT(self->tree->chains_left_out),
	                  DURATION_TEXT(self->tree->total_left_out));

	text_page_line(self->page, "", line);
}

void text_tree_end(struct text_tree *self)
{
	if (!text_page_table_end(self->page, &self->table))
		text_page_line(self->page, "", "(none)");
	if (self->tree->chains_left_out)
		left_out_put(self);
	buffer_release(&self->prefix);
	buffer_release(&self->cell);
	free(self);
}
