/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flame_tree.h"

#include <stdlib.h>

#include "base/data/map.h"
#include "base/xalloc.h"

#define CAPACITY_FIRST 64 /* a power of two, like all later ones */

static uint32_t *bucket_of(const struct flame_tree *tree, uint32_t parent, uint32_t name,
                           unsigned kind)
{
	uint64_t hash = hash_mix(hash_mix(kind, parent), name);

	return &tree->bucket[hash & (tree->capacity - 1)];
}

static void node_link(struct flame_tree *tree, uint32_t index)
{
	struct flame_node *node = &tree->node[index];
	uint32_t *bucket = bucket_of(tree, node->parent, node->name, node->kind);

	node->next_in_bucket = *bucket;
	*bucket = index;
}

static void tree_grow(struct flame_tree *tree)
{
	size_t capacity = tree->capacity ? tree->capacity * 2 : CAPACITY_FIRST;

	tree->node = xreallocarray(tree->node, capacity, sizeof(*tree->node));
	free(tree->bucket);
	tree->bucket = xreallocarray(NULL, capacity, sizeof(*tree->bucket));
	tree->capacity = capacity;
	for (size_t i = 0; i < capacity; i++)
		tree->bucket[i] = FLAME_NONE;
	for (size_t i = 0; i < tree->count; i++)
		node_link(tree, (uint32_t)i);
}

static uint32_t node_create(struct flame_tree *tree, uint32_t parent, uint32_t name,
                            enum path_frame_kind kind)
{
	uint32_t index = (uint32_t)tree->count;

	if (tree->count == tree->capacity)
		tree_grow(tree);
	tree->node[index] = (struct flame_node){
		.parent = parent,
		.first_child = FLAME_NONE,
		.next_sibling = parent == FLAME_NONE ? FLAME_NONE : tree->node[parent].first_child,
		.name = name,
		.kind = (uint8_t)kind,
	};
	if (parent != FLAME_NONE)
		tree->node[parent].first_child = index;
	tree->count++;
	node_link(tree, index);
	return index;
}

void flame_tree_init(struct flame_tree *tree, size_t node_max)
{
	*tree = (struct flame_tree){.node_max = node_max};
	intern_init(&tree->names);
	(void)node_create(tree, FLAME_NONE, intern_adds(&tree->names, "all"), SHOWN_MARK);
}

void flame_tree_drop_nodes(struct flame_tree *tree)
{
	free(tree->node);
	free(tree->bucket);
	tree->node = NULL;
	tree->bucket = NULL;
	tree->count = tree->capacity = 0;
}

void flame_tree_release(struct flame_tree *tree)
{
	flame_tree_drop_nodes(tree);
	intern_release(&tree->names);
}

/* The child with that text and kind; it is made if there is none. FLAME_NONE: there is no room. */
static uint32_t node_child(struct flame_tree *tree, uint32_t parent, const struct path_frame *frame)
{
	uint32_t name = intern_adds(&tree->names, frame->text);
	uint32_t at = *bucket_of(tree, parent, name, frame->kind);

	for (; at != FLAME_NONE; at = tree->node[at].next_in_bucket) {
		const struct flame_node *node = &tree->node[at];

		if (node->parent == parent && node->name == name && node->kind == frame->kind)
			return at;
	}
	if (tree->count == tree->node_max)
		return FLAME_NONE;
	return node_create(tree, parent, name, frame->kind);
}

void flame_tree_add(struct flame_tree *tree, const struct path *path)
{
	nsec_t total = nsec_min(path->figures.total, NSEC_NEVER - tree->node[FLAME_ROOT].total);
	uint32_t node = FLAME_ROOT;

	if (total == 0)
		return;
	for (size_t i = 0;; i++) {
		tree->node[node].total += total;
		tree->node[node].count += path->figures.count;
		if (i == path->count)
			break;
		if (i == FLAME_DEPTH_MAX) {
			tree->cut_deep++;
			break;
		}
		node = node_child(tree, node, &path->frame[i]);
		if (node == FLAME_NONE) {
			tree->cut_full++;
			break;
		}
	}
}
