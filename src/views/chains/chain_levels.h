/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A chain tree in the levels that are shown of it: who waited, for whom, whom those waited for, and
 * what for in the end. Links of one name or one wording are one level, though the chain tree holds
 * them apart by what is not worded; all chains of one waiter meet in one root. Which of several
 * tasks of one name a level is of, where one has most of it, is said in the end (link_names.h).
 *
 * Levels are made for the chains that are added, of which at most CHAIN_LEVELS_CHAINS_MAX (and
 * LEVELS_MAX levels) are merged; the others, which are the smallest when chains come in
 * descending total, are only counted.
 */
#pragma once

#include "analysis/level_tree.h"
#include "analysis/link_names.h"
#include "ftwait/report.h"
#include "graph/chain_tree.h"

#define CHAIN_LEVELS_CHAINS_MAX 100000

struct chain_levels {
	const struct chain_tree *chains; /* must not change */
	const char *open_label;          /* of a wait without an end */
	struct level_tree tree;          /* tags: nodes of the chain tree, 0: a task */
	struct link_names names;
	uint32_t *of_link;               /* by node of the chain tree; 0: not made yet */
	/* By node of the chain tree as well: the level that names its task; what was added there
	   and below. */
	uint32_t *who_of_link;
	nsec_t *total_of_link;
	uint64_t chain_count;
	uint64_t chains_left_out;
	nsec_t total_left_out;
};

/* `is_window`: what has no end then has none in the window that is asked for. */
void chain_levels_init(struct chain_levels *levels, const struct chain_tree *chains,
                       bool is_window);
void chain_levels_release(struct chain_levels *levels);
/*
 * The chain that ends at the node of the chain tree. `waiter`: of the chain's outermost waiter all
 * the waits, which several chains may be parts of; NULL: not known.
 */
void chain_levels_add(struct chain_levels *levels, uint32_t node, const struct figures *waiter);
/* The presenter must take trees by their nodes. */
void chain_levels_show(struct chain_levels *levels, const struct tree *tree,
                       const struct presenter *presenter, void *to);
