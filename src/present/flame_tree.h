/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths merged from their roots on: a node for each text and kind under a parent. Nodes come
 * after their parents, node FLAME_ROOT is that of all paths. A node's total is at least that of its
 * children together; the rest is its own.
 */
#pragma once

#include "base/intern.h"
#include "ftwait/report.h"

#define FLAME_ROOT      0u
#define FLAME_NONE      UINT32_MAX
#define FLAME_DEPTH_MAX 512u       /* frames of a path; what is deeper counts for the last one */
#define FLAME_NODES_MAX (1u << 22) /* some 200 MB with the hash table; then paths are cut */

struct flame_node {
	uint32_t parent, first_child, next_sibling; /* FLAME_NONE: none */
	uint32_t next_in_bucket;
	uint32_t name; /* in names */
	uint8_t kind;  /* enum path_frame_kind */
	nsec_t total;
	uint64_t count;
};

struct flame_tree {
	struct intern names;
	struct flame_node *node;
	size_t count, capacity, node_max;
	uint32_t *bucket; /* heads of hash chains; as many as there is room for nodes */
	uint64_t cut_deep, cut_full; /* paths that were cut: too deep; too many nodes */
};

/* At most node_max nodes, which is at most FLAME_NODES_MAX and at least one. */
void flame_tree_init(struct flame_tree *tree, size_t node_max);
void flame_tree_release(struct flame_tree *tree);
/* Drops the nodes but keeps the names. */
void flame_tree_drop_nodes(struct flame_tree *tree);
/* A path of length 0 changes nothing. Sums saturate. */
void flame_tree_add(struct flame_tree *tree, const struct path *path);

static inline const char *flame_node_text(const struct flame_tree *tree, uint32_t node)
{
	return intern_text(&tree->names, tree->node[node].name);
}
