/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_blocks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "base/xalloc.h"

/* A block that is being summed up. */
struct wait_block {
	struct map by_edge; /* index in sum */
	struct wait_sum *sum;
	size_t count, capacity;
	size_t depth; /* of the graph, on the block's own line */
	nsec_t own;   /* of that line, at the edge that led there */
	uint64_t parts_before[3];
};

struct wait_sums {
	nsec_t own;
	uint64_t parts_by_confidence[3];
	size_t count;
	struct wait_sum sum[];
};

void wait_block_add(struct wait_graph *graph, const struct wait_sum *sum)
{
	struct wait_block *block = graph->of_block;
	uint32_t index = map_get(&block->by_edge, sum->edge);

	if (index != MAP_NONE) {
		wait_sum_join(&block->sum[index], sum);
		return;
	}
	ARRAY_GROW(block->sum, block->count, block->capacity);
	map_put(&block->by_edge, sum->edge, (uint32_t)block->count);
	block->sum[block->count++] = *sum;
}

bool wait_block_charge_line(struct wait_graph *graph, nsec_t length)
{
	if (graph->depth != graph->of_block->depth)
		return false;
	graph->of_block->own += length;
	return true;
}

static void block_begin(void *state)
{
	struct wait_graph *graph = state;
	struct wait_block *block = xcalloc(1, sizeof(*block));

	assert(graph->depth > 0); /* only waits are asked for, which are one segment each */
	map_init(&block->by_edge);
	block->depth = graph->depth;
	memcpy(block->parts_before, graph->parts_by_confidence, sizeof(block->parts_before));
	graph->of_block = block;
}

static struct wait_sums *sums_of(const struct wait_graph *graph)
{
	const struct wait_block *block = graph->of_block;
	size_t bytes = block->count * sizeof(*block->sum);
	struct wait_sums *sums = xmalloc(sizeof(*sums) + bytes);

	sums->own = block->own;
	for (size_t i = 0; i < ARRAY_SIZE(sums->parts_by_confidence); i++)
		sums->parts_by_confidence[i] =
			graph->parts_by_confidence[i] - block->parts_before[i];
	sums->count = block->count;
	if (bytes)
		memcpy(sums->sum, block->sum, bytes);
	return sums;
}

/* All sums but the number of parts. */
static void sums_add(struct wait_graph *graph, const struct wait_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		wait_graph_add_sum(graph, &sums->sum[i]);
	if (sums->own)
		wait_graph_charge_line(graph, sums->own);
}

static void *block_end(void *state, bool is_kept)
{
	struct wait_graph *graph = state;
	struct wait_sums *sums = sums_of(graph);

	wait_blocks_release(graph);
	sums_add(graph, sums);
	if (is_kept && walk_block_folds(sums->parts_by_confidence, sums->count))
		return sums;
	free(sums);
	return NULL;
}

static void block_add(void *state, const void *kept, nsec_t t, enum confidence confidence_max)
{
	struct wait_graph *graph = state;
	const struct wait_sums *sums = kept;

	sums_add(graph, sums);
	walk_parts_add(graph->parts_by_confidence, sums->parts_by_confidence, confidence_max);
	graph->told = t;
}

const struct walk_block_hooks wait_block_hooks = {
	.begin = block_begin,
	.end = block_end,
	.add = block_add,
	.free = free,
};

void wait_blocks_release(struct wait_graph *graph)
{
	if (!graph->of_block)
		return;
	map_release(&graph->of_block->by_edge);
	free(graph->of_block->sum);
	free(graph->of_block);
	graph->of_block = NULL;
}
