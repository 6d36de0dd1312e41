/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flame_layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
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

/* A frame whose children are not laid out yet; the last element is the next one. */
struct pending_frame {
	struct flame_frame frame;
	uint32_t node; /* FLAME_NONE: the frame is a folded one */
};

struct layout_making {
	struct flame_layout *layout;
	const struct flame_tree *tree;
	uint32_t *below; /* by node: the number of nodes below it */
	nsec_t least;    /* least total of a frame that is shown */
	struct pending_frame *pending;
	size_t pending_count, pending_capacity;
	uint32_t *child; /* shown children of the current node */
	size_t child_count, child_capacity;
};

/* Counts the nodes below each node. Children come after their parents, so one pass from the end is
   enough. */
static void below_count(struct layout_making *making)
{
	const struct flame_tree *tree = making->tree;

	making->below = xcalloc(tree->count, sizeof(*making->below));
	for (size_t i = tree->count - 1; i > FLAME_ROOT; i--)
		making->below[tree->node[i].parent] += making->below[i] + 1;
}

/* The order of siblings in flame graphs is by text, so that a function is easily found in another
   picture. */
static int child_compare(const void *a, const void *b, void *state)
{
	const struct layout_making *making = state;
	const struct flame_tree *tree = making->tree;
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	int order = strcmp(flame_node_text(tree, left), flame_node_text(tree, right));

	return order ? order : tree->node[left].kind - tree->node[right].kind;
}

static void pending_add(struct layout_making *making, uint32_t node,
                        const struct flame_frame *frame)
{
	ARRAY_ADD(making->pending, making->pending_count, making->pending_capacity) =
		(struct pending_frame){*frame, node};
}

static struct flame_frame frame_of(const struct flame_tree *tree, uint32_t index, nsec_t begin,
                                   unsigned level)
{
	const struct flame_node *node = &tree->node[index];

	return (struct flame_frame){
		.name = node->name,
		.level = level,
		.kind = (enum path_frame_kind)node->kind,
		.begin = begin,
		.total = node->total,
		.self = node->total,
		.count = node->count,
	};
}

/* Selects the node's children to show; `rest` becomes the frame for the children that are too
   small. */
static void children_select(struct layout_making *making, uint32_t parent, struct flame_frame *rest)
{
	const struct flame_tree *tree = making->tree;
	uint32_t at = tree->node[parent].first_child;

	making->child_count = 0;
	for (; at != FLAME_NONE; at = tree->node[at].next_sibling) {
		if (tree->node[at].total < making->least) {
			rest->folded += making->below[at] + 1;
			rest->total += tree->node[at].total;
			rest->count += tree->node[at].count;
			continue;
		}
		ARRAY_ADD(making->child, making->child_count, making->child_capacity) = at;
	}
	if (making->child_count > 1)
		qsort_r(making->child, making->child_count, sizeof(*making->child), child_compare,
		        making);
}

static void children_lay(struct layout_making *making, uint32_t parent, struct flame_frame *frame)
{
	struct flame_frame rest = {.level = frame->level + 1, .kind = SHOWN_MARK};
	nsec_t end = frame->begin;

	children_select(making, parent, &rest);
	for (size_t i = 0; i < making->child_count; i++)
		end += making->tree->node[making->child[i]].total;
	frame->self = frame->total - (end - frame->begin) - rest.total;
	rest.begin = end;
	if (rest.folded) {
		making->layout->folded += rest.folded;
		making->layout->folded_total += rest.total;
		pending_add(making, FLAME_NONE, &rest);
	}
	for (size_t i = making->child_count; i-- > 0;) {
		struct flame_frame child;

		end -= making->tree->node[making->child[i]].total;
		child = frame_of(making->tree, making->child[i], end, frame->level + 1);
		pending_add(making, making->child[i], &child);
	}
}

static void frame_lay(struct layout_making *making, struct pending_frame *next)
{
	struct flame_layout *layout = making->layout;

	if (next->node != FLAME_NONE)
		children_lay(making, next->node, &next->frame);
	ARRAY_ADD(layout->frame, layout->count, layout->capacity) = next->frame;
	if (next->frame.level >= layout->levels)
		layout->levels = next->frame.level + 1;
	if (next->frame.level > 0)
		layout->kinds |= 1u << next->frame.kind;
}

void flame_layout_make(struct flame_layout *layout, const struct flame_tree *tree)
{
	struct layout_making making = {.layout = layout, .tree = tree};
	struct flame_frame all = frame_of(tree, FLAME_ROOT, 0, 0);

	*layout = (struct flame_layout){.total = all.total};
	if (all.total == 0)
		return;
	making.least = all.total / FLAME_SHARE_MIN + (all.total % FLAME_SHARE_MIN != 0);
	below_count(&making);
	pending_add(&making, FLAME_ROOT, &all);
	while (making.pending_count > 0) {
		struct pending_frame next = making.pending[--making.pending_count];

		frame_lay(&making, &next);
	}
	free(making.below);
	free(making.pending);
	free(making.child);
}

void flame_layout_release(struct flame_layout *layout)
{
	free(layout->frame);
	*layout = (struct flame_layout){0};
}
