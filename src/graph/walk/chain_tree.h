/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many walks folded into one tree: equal links under equal links share a node. A link is the name
 * of a task, its state, and the members of the cause that all share (kind, name, device, what of
 * memory; not the sector, not the tid); optionally also the stacks of its wait. Totals are kept at
 * the nodes where parts end: the sum over all nodes is the time that was walked.
 *
 * At most count_max nodes are made for whatever comes. Further chains keep only their last links:
 * these stand below one link of MANY_TASKS, which stands for the tasks between, and are of
 * MANY_TASKS themselves where there are too many of them, too.
 */
#pragma once

#include <stdint.h>

#include "graph/logs/task_names.h"
#include "graph/timeline/shared_cause.h"
#include "tally/tally.h"
#include "voter.h"
#include "walk.h"
#include "walk_blocks.h"
#include "walk_sample.h"

#define CHAIN_NODES_MAX (1u << 21)
/* Longer chains are cut: a waiter that far behind explains nothing, and a chain of n tasks that all
   wait for the next would cost n^2. */
#define CHAIN_DEPTH_MAX 64
#define CHAIN_ROOT      0u
/* Last links that are kept beyond count_max, with the names of their tasks and without. */
#define CHAIN_ENDS_MAX     (1u << 15)
#define CHAIN_NAMELESS_MAX 256u

struct chain_node {
	uint32_t parent;
	uint32_t comm; /* name id; for a folded name that of the fold */
	struct wait_stacks stacks; /* if the tree distinguishes them */
	uint8_t state; /* enum part_state */
	uint16_t depth;
	struct shared_cause cause;
	/* the walk that is being added */
	uint64_t walk;
	nsec_t walk_total;
	nsec_t total; /* ns that end here */
	uint64_t count; /* walks in which this chain occurs */
	struct voter voter;  /* which task of that name had the time that ends here */
	struct voter behind; /* which of these tasks waited for what ends further on */
	nsec_t max, max_at; /* the longest within one walk, and when that began */
	/* of a task that runs, if stacks are distinguished: */
	uint32_t base;    /* the node whose time is divided by samples; 0: none */
	uint32_t samples; /* with these stacks; of a base: the sum over its nodes */
};

/* What distinguishes a node from all others. */
struct chain_step {
	uint32_t parent, comm;
	const struct cause_note *cause;
	struct wait_stacks stacks;
	uint8_t state;
};

/* A cached child, found by the address of its cause, which then need not be compared. */
struct chain_found {
	struct chain_step step;
	uint32_t child; /* CHAIN_ROOT: none */
};

/* The children of node `at` that the track's last parts and waits led to; CHAIN_ROOT: not known
   yet. */
struct chain_children {
	uint32_t at, track;
	uint32_t cpu[2]; /* for parts without a cause, by struct cpu_part.is_running */
	uint32_t waited; /* for a wait for `cause` */
	const struct cause_note *cause;
};

#define CHAIN_FOUND_COUNT 256u /* a power of 2 */

/* A step that is being walked. */
struct chain_way {
	uint32_t node;   /* to return to */
	uint32_t waiter; /* track */
	nsec_t end;      /* it explains the waiter's time until then */
};

struct chain_tree {
	struct timeline *timeline;
	bool has_stacks; /* links are distinguished by sleep and waker stacks */
	const struct name_folds *folds; /* names that are one link; NULL: none fold */
	struct chain_found *found; /* CHAIN_FOUND_COUNT of them, by hash; a new one replaces the old
	                              one */
	TALLY(nodes, struct chain_node, node, count);
	size_t count_max;
	uint64_t walk;
	uint32_t *touched; /* nodes of the walk that is being added */
	size_t touched_count, touched_capacity;
	uint32_t at; /* node of the track that is being walked */
	struct chain_way path[CHAIN_DEPTH_MAX];
	size_t path_count;
	struct chain_children children[CHAIN_DEPTH_MAX + 1]; /* the last ones, by path_count */
	nsec_t reached; /* begin of the last part of the walk so far */
	const struct sleep_place *place; /* of the part's wait; NULL: none, or not asked for */
	/* Get every part of the walks, on_cpu_parts those that the visitor's (walk_visitor.h) gets,
	   on_part the others; NULL: none. Without has_stacks only; with it all go to on_part. */
	void (*on_part)(void *state, const struct part *part);
	void (*on_cpu_parts)(void *state, const struct cpu_parts *parts);
	/* Returns another tree into which exactly the track's time from *ret_begin, not before lo,
	   until t was folded: walks add that tree instead of the parts. NULL: there is none. */
	const struct chain_tree *(*take_walked)(void *state, uint32_t track, nsec_t lo, nsec_t t,
	                                        nsec_t *ret_begin);
	void *on_part_state; /* argument of all three */
	struct cause_note **own_cause; /* see chain_tree_settle() */
	size_t own_cause_count, own_cause_capacity;
	size_t settled; /* nodes before it have causes of the tree's own */
	struct walk_result result;
	struct walk_sample sample; /* of waits: chain_tree_add_wait() */
	uint32_t many_name; /* id of MANY_TASKS */
	uint32_t many;      /* node of the link of that name; CHAIN_ROOT: none */
	bool is_of_many;    /* the walk that is being added stands for waits of other names */
	uint64_t parts_by_confidence[3];
	struct walk_blocks blocks; /* for segments that were walked often */
	uint64_t parts_in_blocks;  /* number of parts that came as sums of blocks */
	/* The tree that gets the parts of a block while the block is summed up; NULL: no block
	   is. */
	struct chain_tree *of_block;
	uint32_t *sum_index; /* where the nodes of a block's sums are, while they are added */
	size_t sum_capacity;
};

/* count_max is at most CHAIN_NODES_MAX. Set has_stacks and folds after it. */
void chain_tree_init(struct chain_tree *tree, struct timeline *timeline, size_t count_max);
void chain_tree_release(struct chain_tree *tree);
/*
 * Divides the running time of each node among the stacks that its samples show, where a profile was
 * recorded. Call once, after the last walk.
 */
void chain_tree_divide(struct chain_tree *tree);
/* What all causes that are folded into the node share; the node must have a cause. */
static inline struct cause chain_node_cause(const struct chain_tree *tree,
                                            const struct chain_node *node)
{
	return shared_cause_result(tree->timeline, &node->cause);
}

/* Of the tasks with the node's name, the one with most of the time, including all that it waited
   for. */
static inline struct voter chain_node_voter(const struct chain_node *node)
{
	struct voter voter = node->voter;

	voter_add(&voter, &node->behind);
	return voter;
}
/* Whether the chain of node `chain` ends with all links of the chain of node `end`. */
bool chain_ends_with(const struct chain_tree *tree, uint32_t chain, uint32_t end);
/* Adds all of the other tree, with the names of links folded as tree->folds says; links of one fold
   that wait for the same, one behind the other, become one link. The tree refers to the other one's
   causes until it is settled. */
void chain_tree_take_folded(struct chain_tree *tree, const struct chain_tree *other);
/* From now on the timeline may forget or move its causes: the tree copies those that it needs. */
void chain_tree_settle(struct chain_tree *tree);
/* Folds the walk over track's [lo, hi) into the tree. */
void chain_tree_add(struct chain_tree *tree, uint32_t track, nsec_t lo, nsec_t hi);
/* The same for the part [lo, hi) of a wait that `cause` ended, NULL: not known; or keeps it back,
   for another wait of its name to stand for it (walk_sample.h). */
void chain_tree_add_wait(struct chain_tree *tree, uint32_t track, nsec_t lo, nsec_t hi,
                         const struct cause_note *cause);
/* Adds the waits that were kept back. Call before the tree is read or settled. */
void chain_tree_add_rest(struct chain_tree *tree);
/* Says in health of how much time the chains are not complete, or estimates. */
void chain_tree_note(const struct chain_tree *tree, struct health *health);
