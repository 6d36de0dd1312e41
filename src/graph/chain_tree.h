/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many walks folded into one tree: equal links under equal links share a node. A link is the name
 * of a task, its state, and the cause as far as it is the same for all (kind, name, device; not
 * the sector, not the tid). Totals are kept at the nodes where parts end, so that the sum over all
 * nodes is the time that was walked.
 *
 * At most CHAIN_NODES_MAX nodes; beyond, time is charged to the deepest node that is there and
 * `overflows` counts it.
 */
#pragma once

#include <stdint.h>

#include "walk.h"

#define CHAIN_NODES_MAX (1u << 21)
/* Longer chains are cut: the time stays with the first links. */
#define CHAIN_DEPTH_MAX 128
#define CHAIN_ROOT      0u

struct chain_node {
	uint32_t parent;
	uint32_t comm; /* name id */
	uint8_t state; /* enum part_state */
	bool has_cause;
	bool is_waker_shared; /* cause.waker is the same for all */
	uint16_t depth;
	struct cause_note cause; /* what all share; waker: the first one's */
	nsec_t total; /* ns that end here */
	uint64_t count; /* walks in which this chain occurs */
	nsec_t max, max_at; /* the longest within one walk, and when that began */
	/* the walk that is being added */
	uint64_t walk;
	nsec_t walk_total;
};

struct chain_tree {
	struct timeline *timeline;
	struct chain_node *node;
	size_t count, capacity;
	struct map by_hash;
	uint64_t walk;
	nsec_t walk_begin;
	uint32_t *touched; /* nodes of the walk that is being added */
	size_t touched_count, touched_capacity;
	uint32_t at; /* node of the line that is being walked */
	uint32_t skipped; /* lines entered beyond CHAIN_DEPTH_MAX */
	struct walk_result result;
	uint64_t overflows;
	uint64_t parts_by_confidence[3];
};

void chain_tree_init(struct chain_tree *tree, struct timeline *timeline);
void chain_tree_release(struct chain_tree *tree);
/* Folds the walk over line's [lo, hi) in. */
void chain_tree_add(struct chain_tree *tree, uint32_t line, nsec_t lo, nsec_t hi);
