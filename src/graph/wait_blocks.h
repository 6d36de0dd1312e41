/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What blocks of segments add to a wait graph (walk_blocks.h): amounts for some edges, and for the
 * edge along which the walk came to the block's line. Private to wait_graph.c.
 */
#pragma once

#include "wait_graph.h"

#define EDGE_NONE UINT32_MAX

extern const struct walk_block_hooks wait_block_hooks;

/* The amount added to one edge. */
struct wait_sum {
	uint32_t edge; /* EDGE_NONE: beyond the limit */
	nsec_t path;
	uint64_t count;
	nsec_t max, max_at; /* the longest of the count; max_at is that of the first one of that
			       length */
	struct voter waiter, waited;
};

/* Adds to the sum of that edge of the block that is being summed up. */
void wait_block_add(struct wait_graph *graph, const struct wait_sum *sum);
/* Adds to the edge itself, or to the block that is being summed up. */
void wait_graph_add_sum(struct wait_graph *graph, const struct wait_sum *sum);
/* Charges so much of the time of the walk's present line to the edge that led there. */
void wait_graph_charge_line(struct wait_graph *graph, nsec_t length);
/* Whether the time is that of the block's own line; false: the walk is further on. */
bool wait_block_charge_line(struct wait_graph *graph, nsec_t length);
/* Adds one sum to another of the same edge, of earlier time. */
static inline void wait_sum_join(struct wait_sum *sum, const struct wait_sum *other)
{
	sum->path += other->path;
	sum->count += other->count;
	if (other->max > sum->max) {
		sum->max = other->max;
		sum->max_at = other->max_at;
	}
	voter_add(&sum->waiter, &other->waiter);
	voter_add(&sum->waited, &other->waited);
}

/* Drops what is being summed up, if anything is. */
void wait_blocks_release(struct wait_graph *graph);
