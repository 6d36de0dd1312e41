/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/xalloc.h"

/* A node of the block's tree, in order of creation: a parent comes before its children. */
struct chain_sum {
	struct chain_step step; /* the parent: index of another sum + 1; 0: where the walk is */
	bool is_waker_shared, is_originator_shared;
	struct voter voter, behind;
	nsec_t total;
	uint32_t base, samples; /* as of a node; base: index of another sum + 1, 0: none */
};

struct chain_sums {
	uint64_t parts_by_confidence[3];
	size_t count;
	struct chain_sum sum[];
};

struct chain_tree *chain_tree_target(struct chain_tree *tree)
{
	if (!tree->of_block)
		return tree;
	tree->of_block->place = tree->place;
	return tree->of_block;
}

static void block_begin(void *state)
{
	struct chain_tree *tree = state, *own = xmalloc(sizeof(*own));

	chain_tree_init(own, tree->timeline, CHAIN_NODES_MAX);
	own->has_stacks = tree->has_stacks;
	own->folds = tree->folds;
	own->walk = 1;
	tree->of_block = own;
}

static struct chain_sums *sums_of(const struct chain_tree *own)
{
	size_t count = own->count - 1;
	struct chain_sums *sums = xmalloc(sizeof(*sums) + count * sizeof(*sums->sum));

	memcpy(sums->parts_by_confidence, own->parts_by_confidence,
	       sizeof(sums->parts_by_confidence));
	sums->count = count;
	for (size_t i = 0; i < count; i++) {
		const struct chain_node *node = &own->node[i + 1];

		sums->sum[i] = (struct chain_sum){
			.step = {.parent = node->parent,
			         .comm = node->comm,
			         .cause = node->cause.note,
			         .stacks = node->stacks,
			         .state = node->state},
			.is_waker_shared = node->cause.is_waker_shared,
			.is_originator_shared = node->cause.is_originator_shared,
			.voter = node->voter,
			.behind = node->behind,
			.total = node->total,
			.base = node->base,
			.samples = node->samples,
		};
	}
	return sums;
}

/* Adds the node as if each of its parts had been walked. Returns its index in the tree; `index` has
   those of its parent and its base. */
static uint32_t sum_add(struct chain_tree *tree, const struct chain_sum *sum, const uint32_t *index)
{
	struct chain_step step = sum->step;
	struct chain_node *node;
	uint32_t at;

	step.parent = index[sum->step.parent];
	at = chain_tree_go(tree, &step);
	node = &tree->node[at];
	if (sum->total)
		chain_tree_charge(tree, at, sum->total);
	if (at == step.parent) /* there is no room for more nodes */
		return at;
	node->cause.is_waker_shared &= sum->is_waker_shared;
	node->cause.is_originator_shared &= sum->is_originator_shared;
	voter_add(&node->voter, &sum->voter);
	voter_add(&node->behind, &sum->behind);
	node->samples += sum->samples;
	if (sum->base)
		node->base = index[sum->base];
	return at;
}

static void sums_begin(struct chain_tree *tree, const struct chain_sums *sums)
{
	while (tree->sum_capacity <= sums->count)
		ARRAY_GROW(tree->sum_index, tree->sum_capacity, tree->sum_capacity);
	tree->sum_index[0] = tree->at;
}

static void sums_add(struct chain_tree *tree, const struct chain_sums *sums,
                     enum confidence confidence_max)
{
	sums_begin(tree, sums);
	for (size_t i = 0; i < sums->count; i++)
		tree->sum_index[i + 1] = sum_add(tree, &sums->sum[i], tree->sum_index);
	walk_parts_add(tree->parts_by_confidence, sums->parts_by_confidence, confidence_max);
}

void chain_tree_take(struct chain_tree *tree, const struct chain_tree *other, uint32_t line)
{
	struct chain_sums *sums = sums_of(other);

	/* the line itself may have been renamed since */
	for (size_t i = 0; i < sums->count; i++)
		if (sums->sum[i].step.parent == CHAIN_ROOT)
			sums->sum[i].step.comm = line_last_name(&tree->timeline->line[line]);
	sums_add(tree, sums, CONFIDENCE_HIGH);
	free(sums);
	/* parts that did not fit into it */
	if (other->node[CHAIN_ROOT].total)
		chain_tree_charge(tree, tree->at, other->node[CHAIN_ROOT].total);
	tree->overflows += other->overflows;
	tree->result.cycles += other->result.cycles;
	tree->result.truncations += other->result.truncations;
}

/* Whether a task of a fold waits behind another one of it for the same, as in the queue of a lock:
   how many there are is not the story. */
static bool sum_continues(const struct chain_tree *tree, const struct chain_step *step,
                          const struct chain_step *parent)
{
	return name_is_folded(tree->folds, step->comm) && step->comm == parent->comm &&
	       step->state == PART_WAITING && parent->state == PART_WAITING &&
	       cause_notes_are_shared(step->cause, parent->cause);
}

void chain_tree_take_folded(struct chain_tree *tree, const struct chain_tree *other)
{
	struct chain_sums *sums = sums_of(other);

	tree->at = CHAIN_ROOT;
	tree->walk++;
	sums_begin(tree, sums);
	for (size_t i = 0; i < sums->count; i++) {
		struct chain_step *step = &sums->sum[i].step;
		uint32_t parent = tree->sum_index[step->parent];

		step->comm = name_fold(tree->folds, step->comm);
		tree->sum_index[i + 1] = parent;
		if (!step->parent ||
		    !sum_continues(tree, step, &sums->sum[step->parent - 1].step))
			tree->sum_index[i + 1] = sum_add(tree, &sums->sum[i], tree->sum_index);
		else if (sums->sum[i].total)
			chain_tree_charge(tree, parent, sums->sum[i].total);
	}
	free(sums);
}

static void *block_end(void *state, bool is_kept)
{
	struct chain_tree *tree = state;
	struct chain_sums *sums = sums_of(tree->of_block);

	chain_blocks_release(tree);
	sums_add(tree, sums, CONFIDENCE_HIGH);
	if (is_kept && walk_block_folds(sums->parts_by_confidence, sums->count))
		return sums;
	free(sums);
	return NULL;
}

static void block_add(void *state, const void *kept, nsec_t t, enum confidence confidence_max)
{
	struct chain_tree *whole = state, *tree = chain_tree_target(whole);
	const struct chain_sums *sums = kept;

	sums_add(tree, sums, confidence_max);
	whole->told = t;
	whole->parts_in_blocks += walk_parts_count(sums->parts_by_confidence);
}

const struct walk_block_hooks chain_block_hooks = {
	.begin = block_begin,
	.end = block_end,
	.add = block_add,
	.free = free,
};

void chain_blocks_release(struct chain_tree *tree)
{
	if (!tree->of_block)
		return;
	chain_tree_release(tree->of_block);
	free(tree->of_block);
	tree->of_block = NULL;
}
