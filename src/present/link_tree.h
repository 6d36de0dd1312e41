/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chains merged by what they begin with: who waited, for whom, whom those waited for, and what
 * for in the end. A node sums the chains that pass through it, so the total of a node is at
 * least that of its children together.
 *
 * At most LINK_TREE_ROWS_MAX chains (and LINK_TREE_NODES_MAX nodes) are merged; the others, which
 * are the smallest when chains come in descending total, are only counted. Times are ns.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "ftwait/report.h"

#define LINK_TREE_ROWS_MAX  100000
#define LINK_TREE_NODES_MAX 1000000
#define LINK_TREE_DEPTH_MAX 256 /* levels of the tree; deeper links are not shown */

struct link_figures {
	nsec_t total;
	uint64_t count;
	nsec_t longest;
	nsec_t longest_at; /* NSEC_NEVER: not known */
};

struct link_node {
	uint32_t label; /* id within labels */
	uint32_t child, sibling; /* 0: none; children stand in no order */
	uint32_t child_count;
	uint32_t chain_count; /* that end here or below */
	bool is_told; /* the outermost waiter's own figures are given */
	struct link_figures figures;
};

struct link_tree {
	struct intern labels;
	const char *open_label; /* of a wait without an end */
	struct map by_parent; /* parent << 32 | label -> node */
	struct link_node *node; /* node[0] is the whole */
	size_t node_count, node_capacity;
	uint64_t rows;
	uint64_t rows_left_out;
	nsec_t total_left_out;
};

void link_figures_add(struct link_figures *sum, const struct link_figures *more);

/* `ends_early`: see struct trace_summary; what has no end then has none in the window. */
void link_tree_init(struct link_tree *tree, bool ends_early);
void link_tree_release(struct link_tree *tree);
/*
 * `waiter`: of the chain's outermost waiter all the waits, which several chains may be parts of;
 * NULL: not known.
 */
void link_tree_add(struct link_tree *tree, const struct links *links,
                   const struct link_figures *figures, const struct link_figures *waiter);
/*
 * Whether the node's count, longest and longest_at hold. Parts of one wait end in several chains,
 * so that counts of chains do not sum to waits, nor is the longest part the longest wait.
 */
static inline bool link_node_is_exact(const struct link_node *node)
{
	return node->chain_count == 1 || node->is_told;
}
/*
 * The children of a node by descending total, equal ones by label. The caller frees the array
 * of node[parent].child_count indices.
 */
uint32_t *link_tree_children(const struct link_tree *tree, uint32_t parent);

static inline const char *link_tree_label(const struct link_tree *tree, uint32_t node)
{
	return intern_text(&tree->labels, tree->node[node].label);
}
