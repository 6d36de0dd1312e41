/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Positions of the frames of a flame graph: each frame is within its parent, and siblings are side
 * by side in the order of their texts, as usual. Frames that are less than a thousandth of the
 * whole are folded: the last frame of each parent stands for all children that are so small, and
 * for their descendants. Positions and sizes are in ns.
 */
#pragma once

#include "base/data/intern.h"
#include "ftwait/report.h"

/*
 * Paths that are merged from their roots on: under one parent there is one node for each text and
 * kind. Nodes come after their parents; node FLAME_ROOT stands for all paths. A node's total is at
 * least the sum of its children's totals; the rest is its own.
 */

#define FLAME_ROOT      0u
#define FLAME_NONE      UINT32_MAX
#define FLAME_DEPTH_MAX 512u       /* frames of a path; the time of deeper frames counts for the
                                      last of these */
#define FLAME_NODES_MAX (1u << 22) /* about 200 MB with the hash table; if there are more nodes,
                                      paths are cut */

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
	uint32_t *bucket; /* heads of hash chains; `capacity` of them */
	uint64_t cut_deep, cut_full; /* number of paths that were cut as they were too deep, or
	                                as there were too many nodes */
};

/* node_max: limit of nodes, from 1 to FLAME_NODES_MAX. */
void flame_tree_init(struct flame_tree *tree, size_t node_max);
void flame_tree_release(struct flame_tree *tree);
/* Drops the nodes but keeps the names. */
void flame_tree_drop_nodes(struct flame_tree *tree);
/* Adds a path; a path of length 0 changes nothing. Sums saturate. */
void flame_tree_add(struct flame_tree *tree, const struct path *path);

static inline const char *flame_node_text(const struct flame_tree *tree, uint32_t node)
{
	return intern_text(&tree->names, tree->node[node].name);
}

#define FLAME_SHARE_MIN 1000 /* frames that are less than the whole divided by this are folded */

struct flame_frame {
	uint32_t name;   /* id in the tree's names; if the frame is folded, the id of the empty
	                    text */
	uint32_t folded; /* number of frames that it stands for; 0: it is not folded */
	unsigned level;  /* 0: all */
	enum path_frame_kind kind;
	nsec_t begin, total;
	nsec_t self; /* the time that its children do not take; 0 if folded */
	uint64_t count;
};

struct flame_layout {
	struct flame_frame *frame; /* parents before their children; siblings in order of begin */
	size_t count, capacity;
	unsigned levels;
	unsigned kinds; /* a bit for each enum path_frame_kind that occurs above level 0 */
	nsec_t total;
	uint64_t folded; /* number of all folded frames; folded_total: their time */
	nsec_t folded_total;
};

/* Makes the layout. If the tree has no paths, there are no frames. */
void flame_layout_make(struct flame_layout *layout, const struct flame_tree *tree);
void flame_layout_release(struct flame_layout *layout);
