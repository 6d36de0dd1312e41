/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks a path ahead, before the wait that it leads through has ended. Example: a shell waits for
 * its command, and the history of the command is about to be forgotten. It is not known yet what
 * will end the wait, but it is likely to be the end of a child. So the time of each child since the
 * begin of the wait is walked and kept as sums:
 *
 *	shell    RUN |---- WAIT ------------------------------- not ended yet
 *	make         |-- RUN, WAIT, RUN ... --|---- WAIT ------ not ended yet
 *	cc                                    |-- RUN ... --|
 *	kept         '------ of make ---------'--- of cc ---'
 *
 * Nothing is guessed: the sums count only if the walk that starts at the wait's end later comes to
 * the child at the instant where the sums end; otherwise they are dropped. The times of children
 * that run one after another do not overlap; the times of children that run at once, as in a
 * pipeline, may. If a task has more children than CHILDREN_AHEAD_MAX, they are not walked ahead.
 * Memory is bounded by WALKS_AHEAD_MAX trees and sums.
 */
#pragma once

#include "graph/walk/chain_tree.h"
#include "path_sums.h"

#define WALKS_AHEAD_MAX    16u
#define CHILDREN_AHEAD_MAX 4u

/* What was walked of `track` since the begin of the waiter's wait. */
struct walked_ahead {
	uint32_t waiter, track;
	nsec_t begin, end;
	bool is_kept; /* the wait has not ended, so the walk is kept */
	struct chain_tree tree;
	struct path_sums sums;
};

struct walks_ahead {
	struct timeline *timeline;
	const struct interrupt_log *interrupts;
	struct spare_cpus *spare;
	size_t nodes_max; /* limit of each tree */
	struct walked_ahead *walked[WALKS_AHEAD_MAX];
	size_t count;
};

/* The timeline, the interrupts and the idle CPUs are borrowed. */
void walks_ahead_init(struct walks_ahead *ahead, struct timeline *timeline,
                      const struct interrupt_log *interrupts, struct spare_cpus *spare,
                      size_t nodes_max);
void walks_ahead_release(struct walks_ahead *ahead);
/* Call before the older half of the history is forgotten; the track was walked until t. No tree may
   still refer to causes of earlier walks ahead: chain_tree_settle(). */
void walks_ahead_go_on(struct walks_ahead *ahead, uint32_t track, nsec_t t);
/* The state while stretches of the path are walked and folded into a tree and sums. */
struct walk_on {
	const struct walks_ahead *ahead;
	struct path_sums *sums;
	struct path_walk walk;
};

/* From now on the parts that chain_tree_add() folds into the tree, latest first, are also added to
   the sums. */
void walk_on_begin(struct walk_on *on, const struct walks_ahead *ahead, struct chain_tree *tree,
                   struct path_sums *sums);
void walk_on_end(struct walk_on *on);
