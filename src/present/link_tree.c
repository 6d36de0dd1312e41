/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "link_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/cause_words.h"
#include "cell_text.h"

void link_tree_init(struct link_tree *tree, bool ends_early)
{
	*tree = (struct link_tree){
		.open_label = ends_early ? "not ended in this window" : "not ended in this trace",
		.node_count = 1,
		.node_capacity = 64,
	};
	intern_init(&tree->labels);
	map_init(&tree->by_parent);
	tree->node = xcalloc(tree->node_capacity, sizeof(*tree->node));
	tree->node[0].figures.longest_at = NSEC_NEVER;
}

void link_tree_release(struct link_tree *tree)
{
	intern_release(&tree->labels);
	map_release(&tree->by_parent);
	free(tree->node);
	*tree = (struct link_tree){0};
}

void link_figures_add(struct link_figures *sum, const struct link_figures *more)
{
	sum->total += more->total;
	sum->count += more->count;
	if (more->longest > sum->longest) {
		sum->longest = more->longest;
		sum->longest_at = more->longest_at;
	}
}

static uint32_t child_get(struct link_tree *tree, uint32_t parent, uint32_t label)
{
	uint64_t key = (uint64_t)parent << 32 | label;
	uint32_t child = map_get(&tree->by_parent, key);

	if (child != MAP_NONE)
		return child;
	child = (uint32_t)tree->node_count;
	ARRAY_GROW(tree->node, tree->node_count, tree->node_capacity);
	tree->node[tree->node_count++] = (struct link_node){
		.label = label,
		.sibling = tree->node[parent].child,
		.figures = {.longest_at = NSEC_NEVER},
	};
	tree->node[parent].child = child;
	tree->node[parent].child_count++;
	map_put(&tree->by_parent, key, child);
	return child;
}

/* Adds a chain's figures; `waiter` as for link_tree_add(). */
static void node_add(struct link_node *node, const struct link_figures *figures,
                     const struct link_figures *waiter)
{
	node->chain_count++;
	link_figures_add(&node->figures, figures);
	if (!waiter)
		return;
	node->is_told = true;
	node->figures.count = waiter->count;
	node->figures.longest = waiter->longest;
	node->figures.longest_at = waiter->longest_at;
}

/* A chain on its way down the tree. */
struct descent {
	struct link_tree *tree;
	const struct link_figures *figures, *waiter;
	uint32_t node;
	unsigned depth;
	struct buffer label;
};

static void descend(struct descent *descent)
{
	struct link_tree *tree = descent->tree;

	if (descent->depth++ < LINK_TREE_DEPTH_MAX) {
		uint32_t label = intern_add(&tree->labels, descent->label.text,
		                            descent->label.length);

		descent->node = child_get(tree, descent->node, label);
		node_add(&tree->node[descent->node], descent->figures,
		         descent->depth == 1 ? descent->waiter : NULL);
	}
	buffer_clear(&descent->label);
}

static bool link_waits(const struct chain_link *link)
{
	return !link->state || strcmp(link->state, "waiting") == 0;
}

/*
 * "who" is one level; what that one waited for is the next, unless it is the task of the next
 * link, which names itself. What is not known has a level too, so that children sum to their
 * parent. The first link keeps its state off its name, so that all chains of one waiter meet in
 * one node.
 */
static void link_descend(struct descent *descent, const struct links *links, size_t at)
{
	const struct chain_link *link = &links->link[at];
	bool is_last = at + 1 == links->count;

	buffer_puts_clean(&descent->label, link->comm, strlen(link->comm));
	if (at > 0 && !link_waits(link))
		buffer_printf(&descent->label, " %s", link->state);
	descend(descent);
	if (at == 0 && !link_waits(link)) {
		buffer_puts(&descent->label, link->state);
		descend(descent);
	}
	if (link->cause && (is_last || link->cause->kind != CAUSE_TASK)) {
		cause_text_append(&descent->label, link->cause);
		descend(descent);
	} else if (is_last && link_waits(link)) {
		buffer_puts(&descent->label, descent->tree->open_label);
		descend(descent);
	}
}

void link_tree_add(struct link_tree *tree, const struct links *links,
                   const struct link_figures *figures, const struct link_figures *waiter)
{
	struct descent descent = {.tree = tree, .figures = figures, .waiter = waiter};

	link_figures_add(&tree->node[0].figures, figures);
	if (tree->rows >= LINK_TREE_ROWS_MAX ||
	    tree->node_count + 2 * links->count + 1 > LINK_TREE_NODES_MAX) {
		tree->rows_left_out++;
		tree->total_left_out += figures->total;
		return;
	}
	tree->rows++;
	buffer_init(&descent.label, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < links->count; i++)
		link_descend(&descent, links, i);
	buffer_release(&descent.label);
}

static int child_compare(const void *a, const void *b, void *of)
{
	const struct link_tree *tree = of;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	nsec_t left_total = tree->node[left].figures.total;
	nsec_t right_total = tree->node[right].figures.total;

	if (left_total != right_total)
		return left_total < right_total ? 1 : -1;
	return strcmp(link_tree_label(tree, left), link_tree_label(tree, right));
}

uint32_t *link_tree_children(const struct link_tree *tree, uint32_t parent)
{
	const struct link_node *node = &tree->node[parent];
	uint32_t *child = xcalloc(node->child_count + 1u, sizeof(*child));
	size_t count = 0;

	for (uint32_t at = node->child; at; at = tree->node[at].sibling)
		child[count++] = at;
	assert(count == node->child_count);
	/* The comparison only reads the tree. */
	qsort_r(child, count, sizeof(*child), child_compare, (void *)(uintptr_t)tree);
	return child;
}
