/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The levels of a chain tree as they are shown: the waiter, the tasks that it waited for, directly
 * and indirectly, and the cause at the end. Links with the same label are one level, though the
 * chain tree keeps them apart by details that labels do not show; all chains of one waiter meet in
 * one root. If a level stands for several tasks of one name and one task has most of the time, its
 * label finally names that task (analysis/paths/chain_words.h).
 *
 * Levels are made for the chains that are added. At most CHAIN_LEVELS_CHAINS_MAX chains (and
 * LEVELS_MAX levels) are merged; the others, which are the smallest if chains are added in
 * descending order, are only counted.
 */
#pragma once

#include "analysis/paths/chain_words.h"
#include "analysis/tables/level_tree.h"
#include "ftwait/report.h"
#include "graph/walk/chain_tree.h"

#define CHAIN_LEVELS_CHAINS_MAX 100000

struct chain_levels {
	const struct chain_tree *chains; /* must not change */
	const struct question *question; /* borrowed; resolved */
	struct level_tree tree;          /* tags: nodes of the chain tree, 0: a task */
	struct link_names names;
	uint32_t *of_link;               /* by node of the chain tree; 0: not made yet */
	/* By node of the chain tree, too: the level with its task's name, and the time that was
	   added to the node and below. */
	uint32_t *who_of_link;
	nsec_t *total_of_link;
	uint64_t chain_count;
	uint64_t chains_left_out;
	nsec_t total_left_out;
};

void chain_levels_init(struct chain_levels *levels, const struct chain_tree *chains,
                       const struct question *question);
void chain_levels_release(struct chain_levels *levels);
/* Adds the chain that ends at the node of the chain tree. `waiter`: the figures of all waits of the
   chain's outermost waiter, of which the chain may be a part; NULL: not known. */
void chain_levels_add(struct chain_levels *levels, uint32_t node, const struct figures *waiter);
/* The presenter must support trees, with all their hooks. */
void chain_levels_show(struct chain_levels *levels, const struct tree *tree,
                       const struct output *to);
