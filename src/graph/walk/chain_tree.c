/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/data/array.h"
#include "base/text/format.h"
#include "base/xalloc.h"

/*
 * What a block of segments (walk_blocks.h) adds to a tree: the nodes of a tree of its own, which is
 * added wherever a walk comes to the block. In order of creation: a parent comes before its
 * children. The root stands for where the walk is.
 */
struct chain_sums {
	uint64_t parts_by_confidence[3];
	size_t count;
	struct chain_node node[];
};

static const struct walk_block_hooks block_hooks;

/* Frees the tree of the block, if one is being summed up. */
static void block_release(struct chain_tree *tree)
{
	if (!tree->of_block)
		return;
	chain_tree_release(tree->of_block);
	free(tree->of_block);
	tree->of_block = NULL;
}

void chain_tree_init(struct chain_tree *tree, struct timeline *timeline, size_t count_max)
{
	assert(count_max > 0 && count_max <= CHAIN_NODES_MAX);
	*tree = (struct chain_tree){
		.timeline = timeline,
		.count_max = count_max,
		.many_name = intern_adds(&timeline->names, MANY_TASKS),
	};
	tally_init(&tree->nodes, sizeof(*tree->node), sizeof(*tree->node), TALLY_NO_LIMIT);
	walk_blocks_init(&tree->blocks, &block_hooks);
	walk_sample_init(&tree->sample);
	tree->found = xcalloc(CHAIN_FOUND_COUNT, sizeof(*tree->found));
	(void)tally_add(&tree->nodes); /* the root */
}

void chain_tree_release(struct chain_tree *tree)
{
	tally_release(&tree->nodes);
	free(tree->touched);
	free(tree->found);
	for (size_t i = 0; i < tree->own_cause_count; i++)
		free(tree->own_cause[i]);
	free(tree->own_cause);
	walk_blocks_release(&tree->blocks);
	walk_sample_release(&tree->sample);
	block_release(tree);
	free(tree->sum_index);
	*tree = (struct chain_tree){0};
}

void chain_tree_settle(struct chain_tree *tree)
{
	assert(!tree->of_block);
	walk_blocks_forget(&tree->blocks);
	/* entries are found by the addresses of causes, which change here */
	memset(tree->found, 0, CHAIN_FOUND_COUNT * sizeof(*tree->found));
	/* tasks may be renamed */
	memset(tree->children, 0, sizeof(tree->children));
	for (; tree->settled < tree->count; tree->settled++) {
		struct shared_cause *shared = &tree->node[tree->settled].cause;
		struct cause_note *own;

		if (!shared->note)
			continue;
		own = xmalloc(sizeof(*own));
		*own = *shared->note;
		shared->note = own;
		/* NOLINTNEXTLINE: pointers are meant */
		ARRAY_ADD(tree->own_cause, tree->own_cause_count, tree->own_cause_capacity) = own;
	}
}

static uint64_t step_hash(const struct chain_tree *tree, const struct chain_step *step)
{
	uint64_t hash = hash_mix(step->parent, (uint64_t)step->comm << 8 | step->state);

	if (tree->has_stacks) {
		hash = hash_mix(hash, (uint64_t)step->stacks.frames << 32 | step->stacks.waker);
		hash = hash_mix(hash, step->stacks.user);
	}
	return shared_cause_hash(step->cause, hash);
}

/* The step to a node like that one, but for its parent and its name. */
static struct chain_step step_of(const struct chain_node *node, uint32_t parent, uint32_t comm)
{
	return (struct chain_step){parent, comm, node->cause.note, node->stacks, node->state};
}

static bool node_is_step(const void *row, const void *wanted)
{
	const struct chain_node *node = row;
	const struct chain_step *step = wanted;

	return node->parent == step->parent && node->comm == step->comm &&
	       node->state == step->state && stacks_are_same(&node->stacks, &step->stacks) &&
	       cause_notes_are_shared(node->cause.note, step->cause);
}

bool chain_ends_with(const struct chain_tree *tree, uint32_t chain, uint32_t end)
{
	assert(chain < tree->count && end < tree->count);
	while (end != CHAIN_ROOT) {
		const struct chain_node *node = &tree->node[chain], *wanted = &tree->node[end];
		const struct chain_step step = step_of(wanted, node->parent, wanted->comm);

		if (chain == CHAIN_ROOT || !node_is_step(node, &step))
			return false;
		chain = node->parent;
		end = wanted->parent;
	}
	return true;
}

/* The node that the step leads to, created if there are fewer than `most`; else the parent. Out of
   line: it is called seldom, and inlined it would slow down its callers. */
static __attribute__((noinline)) uint32_t chain_tree_child(struct chain_tree *tree,
                                                           const struct chain_step *step,
                                                           size_t most)
{
	uint64_t hash = step_hash(tree, step);
	struct chain_node *node = tally_find_of(&tree->nodes, &hash, step, node_is_step);

	ASSUME(step->parent < tree->count);
	if (node)
		shared_cause_add(&node->cause, step->cause);
	else if (tree->count >= most)
		return step->parent;
	else
		node = tally_make(&tree->nodes, hash, &(struct chain_node){
			.parent = step->parent,
			.comm = step->comm,
			.stacks = step->stacks,
			.state = step->state,
			.depth = (uint16_t)(tree->node[step->parent].depth + 1),
			.cause = shared_cause_of(step->cause),
		});
	return tally_number(&tree->nodes, node);
}

/* The link that stands for tasks for which there is no room. */
static uint32_t chain_tree_many(struct chain_tree *tree)
{
	if (tree->many == CHAIN_ROOT)
		tree->many = chain_tree_child(
			tree,
			&(struct chain_step){
				.parent = CHAIN_ROOT,
				.comm = tree->many_name,
				.cause = timeline_side_cause(tree->timeline, CAUSE_TASK),
				.state = PART_WAITING,
			},
			SIZE_MAX);
	assert(tree->many != CHAIN_ROOT);
	return tree->many;
}

/* Where a chain ends for which there is no room: with the same last link, below the link of many
   tasks, or below the root if the chain has no other. CHAIN_ROOT: nor is there room for that. */
static uint32_t chain_tree_end(struct chain_tree *tree, struct chain_step step)
{
	size_t most = tree->count_max + CHAIN_ENDS_MAX;
	uint32_t index;

	if (step.parent != CHAIN_ROOT)
		step.parent = chain_tree_many(tree);
	index = chain_tree_child(tree, &step, most);
	if (index != step.parent)
		return index;
	step.parent = chain_tree_many(tree);
	step.comm = tree->many_name;
	step.stacks = (struct wait_stacks){0};
	index = chain_tree_child(tree, &step, most + CHAIN_NAMELESS_MAX);
	return index == step.parent ? CHAIN_ROOT : index;
}

/* As chain_tree_child(), but looks into the cache first, where most steps of walks are found. If
   there is no room, both return the parent. */
static uint32_t chain_tree_go(struct chain_tree *tree, const struct chain_step *step)
{
	uint64_t hash = ((uint64_t)step->parent << 32 | step->comm) * 0x9e3779b97f4a7c15u ^
	                ((uintptr_t)step->cause + step->state) * 0xff51afd7ed558ccdu;
	struct chain_found *found = &tree->found[hash >> 32 & (CHAIN_FOUND_COUNT - 1)];
	uint32_t child;

	if (found->child != CHAIN_ROOT && found->step.parent == step->parent &&
	    found->step.comm == step->comm && found->step.cause == step->cause &&
	    found->step.state == step->state &&
	    (!tree->has_stacks || stacks_are_same(&found->step.stacks, &step->stacks)))
		return found->child;
	child = chain_tree_child(tree, step, tree->count_max);
	if (child != step->parent) /* otherwise there are too many nodes */
		*found = (struct chain_found){*step, child};
	return child;
}

/* A task keeps its last name, so that chains do not split where it changes. */
static uint32_t tree_comm(const struct chain_tree *tree, uint32_t track)
{
	return name_fold(tree->folds, track_name(&tree->timeline->track[track]));
}

/* The tree that gets the parts: that of the block while one is summed up, else the tree itself. */
static struct chain_tree *chain_tree_target(struct chain_tree *tree)
{
	if (!tree->of_block)
		return tree;
	tree->of_block->place = tree->place;
	return tree->of_block;
}

/* The known children of that track's parts and waits at the position of the walk. */
static struct chain_children *chain_children_of(struct chain_tree *tree, uint32_t track)
{
	struct chain_children *children = &tree->children[tree->path_count];

	ASSUME(tree->path_count <= CHAIN_DEPTH_MAX && tree->at < tree->count);
	if (children->at != tree->at || children->track != track)
		*children = (struct chain_children){.at = tree->at, .track = track};
	return children;
}

/* The node of the waiter's wait for that cause, or that of many tasks. */
static uint32_t chain_wait_node(struct chain_tree *tree, uint32_t waiter,
                                const struct cause_note *cause)
{
	struct chain_children *children = chain_children_of(tree, waiter);
	const struct chain_step step = {
		.parent = tree->at,
		.comm = tree_comm(tree, waiter),
		.stacks = place_stacks(tree->place),
		.state = PART_WAITING,
		.cause = cause,
	};
	uint32_t index;

	if (tree->at == CHAIN_ROOT ? tree->is_of_many : tree->at == tree->many)
		return chain_tree_many(tree);
	index = chain_tree_go(tree, &step);
	if (index == step.parent)
		return chain_tree_many(tree);
	children->cause = cause;
	children->waited = tree->has_stacks ? CHAIN_ROOT : index;
	return index;
}

static void chain_on_descend(void *state, uint32_t waiter, uint32_t track,
                             const struct cause_note *cause)
{
	struct chain_tree *whole = state, *tree = chain_tree_target(whole);
	const struct chain_children *children = chain_children_of(tree, waiter);
	bool is_known = children->waited != CHAIN_ROOT && children->cause == cause &&
	                !tree->is_of_many;
	uint32_t index = is_known ? children->waited : chain_wait_node(tree, waiter, cause);

	(void)track;
	ASSUME(tree->path_count < CHAIN_DEPTH_MAX);
	tree->path[tree->path_count++] = (struct chain_way){tree->at, waiter, whole->reached};
	tree->at = index;
}

static void chain_on_ascend(void *state)
{
	struct chain_tree *whole = state, *tree = chain_tree_target(whole);
	struct chain_way way = tree->path[--tree->path_count];

	ASSUME(tree->path_count < CHAIN_DEPTH_MAX && whole->reached <= way.end);
	if (tree->at != tree->many)
		voter_vote(&tree->node[tree->at].behind, way.waiter, way.end - whole->reached);
	tree->at = way.node;
}

/* Adds what the task was doing when the tick interrupted this part of its run. */
static void chain_add_samples(struct chain_tree *tree, const struct part *part, uint32_t base)
{
	const struct track *track = &tree->timeline->track[part->track];
	size_t count;
	const struct run_sample *sample =
		timeline_samples(track, part->begin, part->end, &count);

	for (size_t i = 0; i < count; i++) {
		const struct chain_step step = {
			.parent = tree->node[base].parent,
			.comm = tree->node[base].comm,
			.stacks = {sample[i].frames, sample[i].user, 0},
			.state = PART_RUNNING,
		};
		uint32_t index;

		if (sample[i].frames == 0 && sample[i].user == 0)
			continue;
		index = chain_tree_go(tree, &step);
		if (index == step.parent)
			continue; /* there is no room for more nodes */
		tree->node[index].base = base;
		tree->node[index].samples++;
		tree->node[base].samples++;
	}
}

void chain_tree_divide(struct chain_tree *tree)
{
	for (size_t i = 1; i < tree->count; i++) {
		struct chain_node *node = &tree->node[i], *base = &tree->node[node->base];
		nsec_t share;

		if (node->base == 0 || base->samples == 0)
			continue;
		/* a share of what is left, so that rounding loses nothing */
		share = nsec_share(base->total, node->samples, base->samples);
		base->total -= share;
		base->samples -= node->samples;
		node->total = share;
		node->count = base->count;
		node->max = nsec_min(base->max, share);
		node->max_at = base->max_at;
	}
	for (size_t i = 1; i < tree->count; i++)
		if (tree->node[i].base && tree->node[tree->node[i].base].total == 0)
			tree->node[tree->node[i].base].count = 0;
}

/* Charges a part of the walk that is being added, `length` ns, to the node. */
static inline void chain_tree_charge(struct chain_tree *tree, uint32_t index, nsec_t length)
{
	struct chain_node *node = &tree->node[index];

	ASSUME(index < tree->count);
	if (node->walk != tree->walk) {
		node->walk = tree->walk;
		node->walk_total = 0;
		node->count++;
		ARRAY_ADD(tree->touched, tree->touched_count, tree->touched_capacity) = index;
	}
	node->walk_total += length;
	node->total += length;
}

/* Adds a part for which there is no room where it belongs. */
static __attribute__((noinline)) void chain_add_end(struct chain_tree *tree,
                                                    const struct chain_step *step,
                                                    const struct part *part)
{
	uint32_t index = chain_tree_end(tree, *step);

	chain_tree_charge(tree, index, part->end - part->begin);
	if (index != CHAIN_ROOT)
		voter_vote(&tree->node[index].voter, part->track, part->end - part->begin);
}

static void chain_on_part(void *state, const struct part *part)
{
	struct chain_tree *whole = state, *tree = chain_tree_target(whole);
	/* a wait that stands for those of other names has none of these */
	bool is_of_many = tree->is_of_many && tree->path_count == 0;
	struct chain_step step = {
		.parent = tree->at,
		.comm = is_of_many ? tree->many_name : tree_comm(tree, part->track),
		.stacks = place_stacks(tree->place),
		.state = (uint8_t)part->state,
		.cause = part->cause,
	};
	uint32_t index;

	ASSUME(part->begin < part->end && part->end == whole->reached);
	whole->reached = part->begin;
	if (tree->on_part)
		tree->on_part(tree->on_part_state, part);
	/* woken or preempted: the chain only shows that it stood in a queue */
	if (part->state == PART_RUNNABLE && part->cause && part->cause->kind != CAUSE_THROTTLED)
		step.cause = NULL;
	index = chain_tree_go(tree, &step);
	tree->parts_by_confidence[part->confidence]++;
	if (index == step.parent) {
		/* without a node of its own its time cannot be divided separately */
		chain_add_end(tree, &step, part);
		return;
	}
	chain_tree_charge(tree, index, part->end - part->begin);
	voter_vote(&tree->node[index].voter, part->track, part->end - part->begin);
	if (part->state == PART_RUNNING && tree->has_stacks && tree->timeline->sample_count)
		chain_add_samples(tree, part, index);
}

/* The node for parts in which the track runs, or is in a run queue; CHAIN_ROOT if there is no room
   for any. */
static uint32_t chain_cpu_node(struct chain_tree *tree, struct chain_children *children,
                               bool is_running)
{
	const struct chain_step step = {
		.parent = tree->at,
		.comm = tree_comm(tree, children->track),
		.state = is_running ? PART_RUNNING : PART_RUNNABLE,
	};
	uint32_t index = chain_tree_go(tree, &step);

	if (index == step.parent)
		index = chain_tree_end(tree, step);
	children->cpu[is_running] = index;
	return index;
}

/* Adds those parts in which the task runs, or those in which it does not, to a node that may not be
   known yet, and that the task does not lead: part by part, as the votes depend on it. */
static __attribute__((noinline)) void chain_add_each(struct chain_tree *tree,
                                                     struct chain_children *children,
                                                     const struct cpu_parts *parts, bool is_running)
{
	for (size_t i = 0; i < parts->count; i++) {
		nsec_t length = parts->part[i].end - parts->part[i].begin;
		uint32_t index = children->cpu[is_running];

		if (parts->part[i].is_running != is_running)
			continue;
		if (index == CHAIN_ROOT)
			index = chain_cpu_node(tree, children, is_running);
		chain_tree_charge(tree, index, length);
		if (index != CHAIN_ROOT)
			voter_vote(&tree->node[index].voter, parts->track, length);
	}
}

/* The same, if they are `total` ns in all: as one part if that is no other result. */
static inline void chain_add_cpu_parts(struct chain_tree *tree, struct chain_children *children,
                                       const struct cpu_parts *parts, bool is_running, nsec_t total)
{
	uint32_t index = children->cpu[is_running];

	if (index == CHAIN_ROOT || !voter_is_led_by(&tree->node[index].voter, parts->track)) {
		chain_add_each(tree, children, parts, is_running);
		return;
	}
	chain_tree_charge(tree, index, total);
	voter_vote(&tree->node[index].voter, parts->track, total);
}

/* As chain_on_part(), without a look-up for each part. New nodes are created in the order of the
   parts, as if these came one by one. */
static void chain_on_cpu_parts(void *state, const struct cpu_parts *parts)
{
	struct chain_tree *whole = state, *tree = chain_tree_target(whole);
	struct chain_children *children = chain_children_of(tree, parts->track);
	nsec_t begin = parts->part[parts->count - 1].begin;
	bool is_running = parts->part[0].is_running;
	nsec_t first = 0, others;

	ASSUME(parts->part[0].end == whole->reached);
	whole->reached = begin;
	if (tree->on_cpu_parts)
		tree->on_cpu_parts(tree->on_part_state, parts);
	for (size_t i = 0; i < parts->count; i++) {
		const struct cpu_part *part = &parts->part[i];

		ASSUME(i == 0 || part->end == part[-1].begin);
		tree->parts_by_confidence[part->confidence]++;
		first += part->is_running == is_running ? part->end - part->begin : 0;
	}
	others = parts->part[0].end - begin - first;
	chain_add_cpu_parts(tree, children, parts, is_running, first);
	if (others)
		chain_add_cpu_parts(tree, children, parts, !is_running, others);
}

static void block_begin(void *state)
{
	struct chain_tree *tree = state, *own = xmalloc(sizeof(*own));

	assert(!tree->of_block);
	chain_tree_init(own, tree->timeline, CHAIN_NODES_MAX);
	own->has_stacks = tree->has_stacks;
	own->folds = tree->folds;
	own->walk = 1;
	tree->of_block = own;
}

/* Adds another tree's node, with that name, as if each of its parts had been walked. Returns its
   index in the tree, for the links that follow; sum_index has those of its parent and its base. */
static uint32_t sum_add(struct chain_tree *tree, const struct chain_node *sum, uint32_t comm)
{
	const struct chain_step step = step_of(sum, tree->sum_index[sum->parent], comm);
	uint32_t at = chain_tree_go(tree, &step);
	bool has_node = at != step.parent;
	struct chain_node *node;

	if (!has_node && sum->total)
		at = chain_tree_end(tree, step);
	if (sum->total)
		chain_tree_charge(tree, at, sum->total);
	if (!has_node && (!sum->total || at == CHAIN_ROOT))
		return chain_tree_many(tree);
	node = &tree->node[at];
	node->cause.is_waker_shared &= sum->cause.is_waker_shared;
	node->cause.is_originator_shared &= sum->cause.is_originator_shared;
	voter_add(&node->voter, &sum->voter);
	if (!has_node)
		return chain_tree_many(tree);
	voter_add(&node->behind, &sum->behind);
	node->samples += sum->samples;
	if (sum->base)
		node->base = tree->sum_index[sum->base];
	return at;
}

/* `count` nodes are about to be added where the walk is; the first one is a root. */
static void sums_begin(struct chain_tree *tree, size_t count)
{
	while (tree->sum_capacity < count)
		ARRAY_GROW(tree->sum_index, tree->sum_capacity, tree->sum_capacity);
	tree->sum_index[0] = tree->at;
}

/* Adds the nodes where the walk is; own_name: of the track that they are of, which may have been
   renamed since, 0: that of each link. The tree refers to their causes until it is settled. */
static void nodes_add(struct chain_tree *tree, const struct chain_node *node, size_t count,
                      uint32_t own_name)
{
	sums_begin(tree, count);
	for (size_t i = 1; i < count; i++) {
		bool is_own = own_name && node[i].parent == CHAIN_ROOT &&
		              node[i].comm != tree->many_name;

		tree->sum_index[i] = sum_add(tree, &node[i], is_own ? own_name : node[i].comm);
	}
	/* parts that did not fit into the other tree */
	if (node[CHAIN_ROOT].total)
		chain_tree_charge(tree, tree->at, node[CHAIN_ROOT].total);
}

/* Whether the link, of that folded name, is of a task that waits behind another task of its fold
   for the same, as in the queue of a lock: the two links become one, as the length of the queue
   does not matter. */
static bool link_continues(const struct chain_tree *tree, const struct chain_tree *other,
                           const struct chain_node *node, uint32_t comm)
{
	const struct chain_node *parent = &other->node[node->parent];

	return node->parent != CHAIN_ROOT && name_is_folded(tree->folds, comm) &&
	       comm == name_fold(tree->folds, parent->comm) && node->state == PART_WAITING &&
	       parent->state == PART_WAITING &&
	       cause_notes_are_shared(node->cause.note, parent->cause.note);
}

void chain_tree_take_folded(struct chain_tree *tree, const struct chain_tree *other)
{
	tree->at = CHAIN_ROOT;
	tree->walk++;
	sums_begin(tree, other->count);
	for (size_t i = 1; i < other->count; i++) {
		const struct chain_node *node = &other->node[i];
		uint32_t comm = name_fold(tree->folds, node->comm);

		tree->sum_index[i] = tree->sum_index[node->parent];
		if (!link_continues(tree, other, node, comm))
			tree->sum_index[i] = sum_add(tree, node, comm);
		else if (node->total)
			chain_tree_charge(tree, tree->sum_index[i], node->total);
	}
}

static void *block_end(void *state, bool is_kept)
{
	struct chain_tree *tree = state;
	const struct chain_tree *own = tree->of_block;
	struct chain_sums *sums = xmalloc(sizeof(*sums) + own->count * sizeof(*own->node));

	/* the walk is on the block's track again */
	assert(own->path_count == 0 && own->at == CHAIN_ROOT);
	memcpy(sums->parts_by_confidence, own->parts_by_confidence,
	       sizeof(sums->parts_by_confidence));
	sums->count = own->count;
	/* NOLINTNEXTLINE: the notes are the timeline's */
	memcpy(sums->node, own->node, own->count * sizeof(*own->node));
	block_release(tree);
	nodes_add(tree, sums->node, sums->count, 0);
	walk_parts_add(tree->parts_by_confidence, sums->parts_by_confidence, CONFIDENCE_HIGH);
	if (is_kept && walk_block_folds(sums->parts_by_confidence, sums->count - 1))
		return sums;
	free(sums);
	return NULL;
}

static void block_add(void *state, const void *kept, nsec_t t, enum confidence confidence_max)
{
	struct chain_tree *whole = state, *tree = chain_tree_target(whole);
	const struct chain_sums *sums = kept;

	ASSUME(t <= whole->reached);
	nodes_add(tree, sums->node, sums->count, 0);
	walk_parts_add(tree->parts_by_confidence, sums->parts_by_confidence, confidence_max);
	whole->reached = t;
	whole->parts_in_blocks += walk_parts_count(sums->parts_by_confidence);
}

static const struct walk_block_hooks block_hooks = {
	.begin = block_begin,
	.end = block_end,
	.add = block_add,
	.free = free,
};

static bool chain_on_walked(void *state, uint32_t track, nsec_t lo, nsec_t t, nsec_t *ret_begin)
{
	struct chain_tree *tree = state;
	const struct chain_tree *walked =
		tree->take_walked(tree->on_part_state, track, lo, t, ret_begin);

	if (!walked)
		return false;
	nodes_add(tree, walked->node, walked->count, track_name(&tree->timeline->track[track]));
	walk_parts_add(tree->parts_by_confidence, walked->parts_by_confidence, CONFIDENCE_HIGH);
	tree->result.cycles += walked->result.cycles;
	tree->result.truncations += walked->result.truncations;
	tree->reached = *ret_begin;
	return true;
}

/* The time that the walk which was added has at all of its nodes. */
static nsec_t chain_walk_time(const struct chain_tree *tree)
{
	nsec_t time = 0;

	for (size_t i = 0; i < tree->touched_count; i++)
		time += tree->node[tree->touched[i]].walk_total;
	return time;
}

/* Folds the walk of the wait into the tree, with the weight of all for which it stands. */
static void chain_tree_walk(struct chain_tree *tree, const struct sampled_wait *wait)
{
	struct walk_visitor visitor = {
		.state = tree,
		.on_part = chain_on_part,
		.on_descend = chain_on_descend,
		.on_ascend = chain_on_ascend,
		.depth_max = CHAIN_DEPTH_MAX,
		.place = tree->has_stacks ? &tree->place : NULL,
		.blocks = tree->on_part ? NULL : &tree->blocks,
		.on_walked = tree->take_walked ? chain_on_walked : NULL,
		.on_cpu_parts = tree->has_stacks ? NULL : chain_on_cpu_parts,
	};
	struct walk_scale scale = {.whole = wait->end - wait->begin, .time = wait->time};

	tree->walk++;
	tree->at = CHAIN_ROOT;
	tree->path_count = 0;
	tree->reached = wait->end;
	tree->touched_count = 0;
	tree->is_of_many = wait->is_of_many;
	walk(tree->timeline, wait->track, wait->begin, wait->end, &visitor, &tree->result);
	assert(tree->path_count == 0 && tree->at == CHAIN_ROOT && tree->reached == wait->begin);
	ASSUME(chain_walk_time(tree) == wait->end - wait->begin);
	for (size_t i = 0; i < tree->touched_count; i++) {
		struct chain_node *node = &tree->node[tree->touched[i]];

		if (node->walk_total > node->max) {
			node->max = node->walk_total;
			node->max_at = wait->begin;
		}
	}
	/* what it stands for beside itself */
	for (size_t i = 0; wait->waits > 1 && i < tree->touched_count; i++) {
		struct chain_node *node = &tree->node[tree->touched[i]];

		node->total += walk_scale_next(&scale, node->walk_total) - node->walk_total;
		node->count += sampled_wait_weight(wait) - 1;
	}
}

void chain_tree_add(struct chain_tree *tree, uint32_t track, nsec_t lo, nsec_t hi)
{
	if (lo < hi)
		chain_tree_walk(tree, &(struct sampled_wait){
			.track = track, .begin = lo, .end = hi, .time = hi - lo, .waits = 1});
}

void chain_tree_add_wait(struct chain_tree *tree, uint32_t track, nsec_t lo, nsec_t hi,
                         const struct cause_note *cause)
{
	uint64_t parts = walk_parts_count(tree->parts_by_confidence) - tree->parts_in_blocks;
	struct sampled_wait wait = {.track = track, .begin = lo, .end = hi};

	if (!walk_may_go_on(cause) || walk_sample_is_free(&tree->sample, parts))
		chain_tree_add(tree, track, lo, hi);
	else if (lo < hi && walk_sample_take(&tree->sample, tree_comm(tree, track), parts, &wait))
		chain_tree_walk(tree, &wait);
}

void chain_tree_add_rest(struct chain_tree *tree)
{
	struct sampled_wait wait;

	for (size_t at = 0; walk_sample_rest(&tree->sample, &at, &wait);)
		chain_tree_walk(tree, &wait);
}

void chain_tree_note(const struct chain_tree *tree, struct health *health)
{
	nsec_t total = tree->node[CHAIN_ROOT].total;

	for (size_t i = 1; tree->many != CHAIN_ROOT && i < tree->count; i++)
		if (tree->node[i].parent == tree->many)
			total += tree->node[i].total;
	/* otherwise it is of waits that stand for those of other names */
	if (total && tree->count >= tree->count_max)
		health_doubt(health,
		             "more than %s different chains: for %s only the last task of a chain "
		             "is shown",
		             COUNT_TEXT(tree->count_max), DURATION_TEXT(total));
	walk_sample_note(&tree->sample, health);
}
