/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void chain_tree_init(struct chain_tree *tree, struct timeline *timeline, size_t count_max)
{
	assert(count_max > 0 && count_max <= CHAIN_NODES_MAX);
	*tree = (struct chain_tree){.timeline = timeline, .count_max = count_max};
	map_init(&tree->by_hash);
	tree->found = xcalloc(CHAIN_FOUND_COUNT, sizeof(*tree->found));
	ARRAY_GROW(tree->node, tree->count, tree->capacity);
	memset(&tree->node[tree->count++], 0, sizeof(*tree->node));
}

void chain_tree_release(struct chain_tree *tree)
{
	free(tree->node);
	free(tree->touched);
	free(tree->found);
	map_release(&tree->by_hash);
	*tree = (struct chain_tree){0};
}

/* What tells causes of chains apart, but for who is behind them. */
static uint32_t note_bits(const struct cause_note *note)
{
	return (uint32_t)note->kind << 16 | (uint32_t)note->memory << 8 | note->is_walked;
}

static bool note_is_alike(const struct cause_note *a, const struct cause_note *b)
{
	if (a == b)
		return true;
	return a && b && note_bits(a) == note_bits(b) && cause_note_is_alike(a, b);
}

static uint64_t node_hash(const struct chain_node *node)
{
	uint64_t hash = hash_mix(node->parent, (uint64_t)node->comm << 8 | node->state);
	struct cause_identity identity;

	if (!node->cause)
		return hash;
	identity = cause_note_identity(node->cause);
	return cause_identity_hash(&identity, hash_mix(hash, note_bits(node->cause)));
}

static bool link_is_alike(const struct chain_node *a, const struct chain_node *b)
{
	return a->comm == b->comm && a->state == b->state && note_is_alike(a->cause, b->cause);
}

static bool node_is_alike(const struct chain_node *a, const struct chain_node *b)
{
	return a->parent == b->parent && link_is_alike(a, b);
}

bool chain_ends_with(const struct chain_tree *tree, uint32_t chain, uint32_t end)
{
	while (end != CHAIN_ROOT) {
		const struct chain_node *node = &tree->node[chain], *wanted = &tree->node[end];

		if (chain == CHAIN_ROOT || !link_is_alike(node, wanted))
			return false;
		chain = node->parent;
		end = wanted->parent;
	}
	return true;
}

static void node_share(struct chain_node *node, const struct cause_note *note)
{
	if (!note || note == node->cause)
		return;
	node->is_waker_shared &= node->cause->waker == note->waker;
	node->is_originator_shared &= node->cause->originator == note->originator;
}

struct cause chain_node_cause(const struct chain_tree *tree, const struct chain_node *node)
{
	const struct cause_note *note = node->cause;
	struct cause_identity identity = cause_note_identity(note);
	struct cause_note shared;

	cause_note_init(&shared, (enum cause_kind)note->kind, (enum confidence)note->confidence);
	shared.name = note->name;
	shared.memory = note->memory;
	/* what is not known is 0 in these */
	for (size_t i = 0; i < ARRAY_SIZE(shared.as.word); i++)
		shared.as.word[i] |= identity.as.word[i];
	if (node->is_waker_shared)
		shared.waker = note->waker;
	if (node->is_originator_shared)
		shared.originator = note->originator;
	return timeline_cause(tree->timeline, &shared, NSEC_NEVER);
}

/* The child of `parent` that is like the wanted node; made where there is none. */
static uint32_t chain_tree_child(struct chain_tree *tree, struct chain_node *wanted)
{
	uint64_t hash = node_hash(wanted);
	uint32_t index;

	while ((index = map_get(&tree->by_hash, hash)) != MAP_NONE) {
		struct chain_node *node = &tree->node[index];

		if (node_is_alike(node, wanted)) {
			node_share(node, wanted->cause);
			return index;
		}
		hash++;
	}
	if (tree->count >= tree->count_max) {
		tree->overflows++;
		return wanted->parent;
	}
	ARRAY_GROW(tree->node, tree->count, tree->capacity);
	wanted->depth = (uint16_t)(tree->node[wanted->parent].depth + 1);
	wanted->is_waker_shared = true;
	wanted->is_originator_shared = true;
	tree->node[tree->count] = *wanted;
	map_put(&tree->by_hash, hash, (uint32_t)tree->count);
	return (uint32_t)tree->count++;
}

/* Where the child of `parent` by that name, state and cause is kept once it was found. */
static struct chain_found *chain_found_at(const struct chain_tree *tree,
                                          const struct chain_node *wanted)
{
	uint64_t hash = ((uint64_t)wanted->parent << 32 | wanted->comm) * 0x9e3779b97f4a7c15u ^
	                ((uintptr_t)wanted->cause + wanted->state) * 0xff51afd7ed558ccdu;

	return &tree->found[hash >> 32 & (CHAIN_FOUND_COUNT - 1)];
}

/* The same as chain_tree_child(), which is asked once for most of what walks meet. */
static uint32_t chain_tree_go(struct chain_tree *tree, struct chain_node *wanted)
{
	struct chain_found *found = chain_found_at(tree, wanted);
	uint32_t child;

	if (found->child != CHAIN_ROOT && found->parent == wanted->parent &&
	    found->comm == wanted->comm && found->cause == wanted->cause &&
	    found->state == wanted->state)
		return found->child;
	child = chain_tree_child(tree, wanted);
	if (child != wanted->parent) /* else there are too many, which is counted each time */
		*found = (struct chain_found){
			.cause = wanted->cause,
			.parent = wanted->parent,
			.comm = wanted->comm,
			.child = child,
			.state = wanted->state,
		};
	return child;
}

/* A task keeps its last name, so that chains do not split where it changes. */
static uint32_t line_comm(const struct chain_tree *tree, uint32_t line)
{
	const struct line *named = &tree->timeline->line[line];

	return named->name_count ? named->name[named->name_count - 1].name : 0;
}

static void chain_on_descend(void *state, uint32_t waiter, uint32_t line,
                             const struct cause_note *cause)
{
	struct chain_tree *tree = state;
	struct chain_node wanted = {
		.parent = tree->at,
		.comm = line_comm(tree, waiter),
		.state = PART_WAITING,
		.cause = cause,
	};

	(void)line;
	/* where there are too many nodes the child is the parent itself */
	tree->path[tree->path_count++] = tree->at;
	tree->at = chain_tree_go(tree, &wanted);
}

static void chain_on_ascend(void *state)
{
	struct chain_tree *tree = state;

	tree->at = tree->path[--tree->path_count];
}

static void chain_on_part(void *state, const struct part *part)
{
	struct chain_tree *tree = state;
	struct chain_node wanted = {
		.parent = tree->at,
		.comm = line_comm(tree, part->line),
		.state = (uint8_t)part->state,
		.cause = part->cause,
	};
	struct chain_node *node;
	uint32_t index;

	/* woken or preempted: that it stood in a queue is all that its chain is about */
	if (part->state == PART_RUNNABLE && part->cause && part->cause->kind != CAUSE_THROTTLED)
		wanted.cause = NULL;
	index = chain_tree_go(tree, &wanted);
	node = &tree->node[index];
	tree->parts_by_confidence[part->confidence]++;
	if (node->walk != tree->walk) {
		node->walk = tree->walk;
		node->walk_total = 0;
		node->count++;
		ARRAY_GROW(tree->touched, tree->touched_count, tree->touched_capacity);
		tree->touched[tree->touched_count++] = index;
	}
	node->walk_total += part->end - part->begin;
	node->total += part->end - part->begin;
}

void chain_tree_add(struct chain_tree *tree, uint32_t line, nsec_t lo, nsec_t hi)
{
	struct walk_visitor visitor = {
		.state = tree,
		.on_part = chain_on_part,
		.on_descend = chain_on_descend,
		.on_ascend = chain_on_ascend,
		.depth_max = CHAIN_DEPTH_MAX,
	};

	tree->walk++;
	tree->at = CHAIN_ROOT;
	tree->path_count = 0;
	tree->touched_count = 0;
	walk(tree->timeline, line, lo, hi, &visitor, &tree->result);
	assert(tree->path_count == 0 && tree->at == CHAIN_ROOT);
	for (size_t i = 0; i < tree->touched_count; i++) {
		struct chain_node *node = &tree->node[tree->touched[i]];

		if (node->walk_total > node->max) {
			node->max = node->walk_total;
			node->max_at = lo;
		}
	}
}
