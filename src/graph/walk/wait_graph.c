/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/assume.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "components.h"

#define EDGE_NONE UINT32_MAX

/* The wait that an edge is used for. */
struct wait_way {
	uint32_t edge;   /* EDGE_NONE: beyond the limit */
	uint32_t waiter; /* track */
	uint32_t waited; /* track; TRACK_NONE: an object */
};

/* A track that the walk is on, and the way that leads to it. */
struct wait_frame {
	struct wait_way way;
	nsec_t end; /* the track explains the waiter's time until then */
};

/*
 * A block of segments (walk_blocks.h), while it is summed up and then. It adds amounts for some
 * edges, and for the edge along which the walk came to the block's track.
 */
struct wait_block {
	TALLY(sums, struct wait_sum, sum, count); /* found by their edges while it is summed up */
	size_t depth; /* of the graph, on the block's own track */
	nsec_t own;   /* time of that track, for the edge that led there */
	uint64_t parts_by_confidence[3]; /* while it is summed up: of the graph before it */
};

static const struct walk_block_hooks block_hooks;

static void block_free(void *sums)
{
	struct wait_block *block = sums;

	tally_release(&block->sums);
	free(block);
}

void wait_graph_init(struct wait_graph *graph, struct timeline *timeline)
{
	*graph = (struct wait_graph){.timeline = timeline};
	tally_init(&graph->nodes, sizeof(*graph->node), sizeof(graph->node->key),
	           WAIT_GRAPH_NODES_MAX);
	tally_init(&graph->edges, sizeof(*graph->edge), sizeof(*graph->edge),
	           WAIT_GRAPH_EDGES_MAX);
	walk_blocks_init(&graph->blocks, &block_hooks);
	walk_sample_init(&graph->sample);
}

void wait_graph_release(struct wait_graph *graph)
{
	tally_release(&graph->nodes);
	tally_release(&graph->edges);
	free(graph->knot);
	free(graph->frame);
	walk_blocks_release(&graph->blocks);
	walk_sample_release(&graph->sample);
	if (graph->of_block)
		block_free(graph->of_block);
	*graph = (struct wait_graph){0};
}

static bool node_is_alike(const void *node, const void *key)
{
	const struct wait_node_key *a = &((const struct wait_node *)node)->key, *b = key;

	return a->kind == b->kind && a->is_task == b->is_task && a->is_open == b->is_open &&
	       a->memory == b->memory && cause_identity_is_same(&a->identity, &b->identity);
}

uint32_t wait_graph_node(struct wait_graph *graph, const struct wait_node_key *key)
{
	uint64_t bits = (uint64_t)key->memory << 16 | (uint64_t)key->kind << 3 |
	                (uint64_t)key->is_task << 2 | (key->is_open ? 2u : 0u);
	const struct wait_node *node = tally_row_of(
		&graph->nodes, cause_identity_hash(&key->identity, bits), key, node_is_alike);

	return node ? tally_number(&graph->nodes, node) : WAIT_NODE_NONE;
}

static bool edge_is_alike(const void *edge, const void *wanted)
{
	const struct wait_edge *a = edge, *b = wanted;

	return a->from == b->from && a->to == b->to && a->kind == b->kind;
}

struct wait_edge *wait_graph_edge(struct wait_graph *graph, uint32_t from, uint32_t to,
                                  enum cause_kind kind)
{
	const struct wait_edge wanted = {
		.from = from, .to = to, .kind = (uint8_t)kind, .sum.max_at = NSEC_NEVER};

	if (from == WAIT_NODE_NONE || to == WAIT_NODE_NONE)
		return NULL;
	ASSUME(from < graph->node_count && to < graph->node_count);
	return tally_row_of(&graph->edges, hash_mix(kind, (uint64_t)from << 32 | to), &wanted,
	                    edge_is_alike);
}

static uint32_t graph_name_node(struct wait_graph *graph, uint32_t name)
{
	struct wait_node_key key = {
		.kind = CAUSE_TASK,
		.is_task = true,
		.identity.name = name,
	};

	return wait_graph_node(graph, &key);
}

static uint32_t graph_task_node(struct wait_graph *graph, uint32_t track)
{
	return graph_name_node(graph, name_fold(graph->folds,
	                                        track_name(&graph->timeline->track[track])));
}

/* The node of the waiter that the walk has come to. A wait that stands for those of other names is
   not that of its own name. */
static uint32_t graph_waiter_node(struct wait_graph *graph, uint32_t waiter)
{
	return graph->is_of_many && graph->depth == 0
	               ? graph_name_node(graph, intern_adds(&graph->timeline->names, MANY_TASKS))
	               : graph_task_node(graph, waiter);
}

/* The node of the object that the cause names; cause NULL: the wait had not ended. Waits that have
   not, and of which no more is known, share one node. */
static uint32_t graph_object_node(struct wait_graph *graph, const struct cause_note *cause)
{
	struct wait_node_key key = {
		.kind = CAUSE_UNKNOWN,
		.is_open = !cause || cause_note_is_open(cause),
	};

	ASSUME(key.is_open || cause->kind < CAUSE_KIND_COUNT);
	if (key.is_open)
		return wait_graph_node(graph, &key);
	key.identity = cause_note_identity(cause);
	key.kind = cause->kind;
	if (cause->kind == CAUSE_MEMORY)
		key.memory = cause->memory;
	else if (cause->kind == CAUSE_SOFTIRQ) /* one node, whether it has begun or not */
		key.identity.as.softirq.is_delay = false;
	if (cause->kind == CAUSE_NET && cause->as.net.is_unanswered) {
		key.identity.name = cause->as.net.peer;
		memset(&key.identity.as, 0, sizeof(key.identity.as));
	}
	return wait_graph_node(graph, &key);
}

/* Index of the edge; EDGE_NONE beyond the limit. */
static uint32_t graph_edge(struct wait_graph *graph, uint32_t from, uint32_t to,
                           enum cause_kind kind)
{
	struct wait_edge *edge = wait_graph_edge(graph, from, to, kind);

	if (edge)
		return tally_number(&graph->edges, edge);
	graph->overflows++;
	return EDGE_NONE;
}

/* waited TRACK_NONE: the wait is for the object that the cause names. */
static struct wait_way graph_way(struct wait_graph *graph, uint32_t waiter, uint32_t waited,
                                 const struct cause_note *cause)
{
	enum cause_kind kind = cause ? (enum cause_kind)cause->kind : CAUSE_UNKNOWN;
	uint32_t to = waited == TRACK_NONE ? graph_object_node(graph, cause)
	                                   : graph_task_node(graph, waited);
	uint32_t from = graph_waiter_node(graph, waiter);

	return (struct wait_way){graph_edge(graph, from, to, kind), waiter, waited};
}

/* Adds one sum to another of the same edge, which was added before it. */
static void wait_sum_join(struct wait_sum *sum, const struct wait_sum *other)
{
	ASSUME(sum->edge == other->edge || !sum->edge);
	sum->path += other->path;
	sum->count += other->count;
	if (other->max > sum->max) {
		sum->max = other->max;
		sum->max_at = other->max_at;
	}
	voter_add(&sum->waiter, &other->waiter);
	voter_add(&sum->waited, &other->waited);
}

static __attribute__((noinline)) void block_add_sum(struct wait_block *block,
                                                    const struct wait_sum *sum)
{
	wait_sum_join(tally_of(&block->sums, sum->edge), sum);
}

static void edge_add_sum(struct wait_graph *graph, const struct wait_sum *sum)
{
	ASSUME(sum->edge == EDGE_NONE || sum->edge < graph->edge_count);
	if (sum->edge == EDGE_NONE)
		graph->overflow_path += sum->path;
	else
		wait_sum_join(&graph->edge[sum->edge].sum, sum);
}

/* Adds the sum with the weight of all waits for which the walk stands. */
static __attribute__((noinline)) void edge_add_weighed(struct wait_graph *graph,
                                                       const struct wait_sum *sum)
{
	struct wait_sum weighed = *sum;

	weighed.path = walk_scale_next(&graph->scale, sum->path);
	weighed.count *= graph->weight;
	edge_add_sum(graph, &weighed);
}

/* Adds to the edge itself, or to the block that is being summed up. */
static void graph_add_sum(struct wait_graph *graph, const struct wait_sum *sum)
{
	if (graph->of_block)
		block_add_sum(graph->of_block, sum);
	else if (graph->weight)
		edge_add_weighed(graph, sum);
	else
		edge_add_sum(graph, sum);
}

/* Adds the sum at the way's edge, and votes with that weight for the way's two tracks. Inline: a
   sum is not put together in memory. */
static inline void graph_add_of(struct wait_graph *graph, const struct wait_way *way,
                                struct wait_sum *sum, uint64_t weight)
{
	sum->edge = way->edge;
	voter_vote(&sum->waiter, way->waiter, weight);
	voter_vote(&sum->waited, way->waited, weight);
	graph_add_sum(graph, sum);
}

/* Counts time waited along the way, whichever edge it is charged to. */
static void graph_count_wait(struct wait_graph *graph, const struct wait_way *way, nsec_t begin,
                             nsec_t end)
{
	struct wait_sum sum = {
		/* the wait itself is counted at its root edge already */
		.count = graph->depth > 0 || way->edge != graph->root_edge,
		.max = end - begin,
		.max_at = begin,
	};

	/* this vote matters only if no time is charged: then the tracks are those of most waits */
	graph_add_of(graph, way, &sum, 1);
}

static void graph_charge(struct wait_graph *graph, const struct wait_way *way, nsec_t length)
{
	struct wait_sum sum = {.path = length};

	graph_add_of(graph, way, &sum, length);
}

/* Charges so much of the time of the walk's present track to the edge that led there. */
static void graph_charge_track(struct wait_graph *graph, nsec_t length)
{
	ASSUME(graph->depth > 0 && (!graph->of_block || graph->depth >= graph->of_block->depth));
	if (graph->of_block && graph->depth == graph->of_block->depth)
		graph->of_block->own += length; /* of the block's own track */
	else
		graph_charge(graph, &graph->frame[graph->depth - 1].way, length);
}

static void block_begin(void *state)
{
	struct wait_graph *graph = state;
	struct wait_block *block = xcalloc(1, sizeof(*block));

	assert(graph->depth > 0); /* only waits are asked for, which are one segment each */
	tally_init(&block->sums, sizeof(*block->sum), sizeof(block->sum->edge), TALLY_NO_LIMIT);
	block->depth = graph->depth;
	memcpy(block->parts_by_confidence, graph->parts_by_confidence,
	       sizeof(block->parts_by_confidence));
	graph->of_block = block;
}

/* Adds all sums except the numbers of parts. */
static void block_add_sums(struct wait_graph *graph, const struct wait_block *block)
{
	for (size_t i = 0; i < block->count; i++)
		graph_add_sum(graph, &block->sum[i]);
	if (block->own)
		graph_charge_track(graph, block->own);
}

static void *block_end(void *state, bool is_kept)
{
	struct wait_graph *graph = state;
	struct wait_block *block = graph->of_block;

	assert(graph->depth == block->depth);
	for (size_t i = 0; i < ARRAY_SIZE(block->parts_by_confidence); i++)
		block->parts_by_confidence[i] =
			graph->parts_by_confidence[i] - block->parts_by_confidence[i];
	map_release(&block->sums.by_hash);
	graph->of_block = NULL;
	block_add_sums(graph, block);
	if (is_kept && walk_block_folds(block->parts_by_confidence, block->count))
		return block;
	block_free(block);
	return NULL;
}

static void block_add(void *state, const void *kept, nsec_t t, enum confidence confidence_max)
{
	struct wait_graph *graph = state;
	const struct wait_block *block = kept;

	ASSUME(t <= graph->reached && graph->depth > 0);
	block_add_sums(graph, block);
	walk_parts_add(graph->parts_by_confidence, block->parts_by_confidence, confidence_max);
	graph->parts_in_blocks += walk_parts_count(block->parts_by_confidence);
	graph->reached = t;
}

static const struct walk_block_hooks block_hooks = {
	.begin = block_begin,
	.end = block_end,
	.add = block_add,
	.free = block_free,
};

static void graph_on_descend(void *state, uint32_t waiter, uint32_t track,
                             const struct cause_note *cause)
{
	struct wait_graph *graph = state;
	struct wait_frame frame = {
		.way = graph_way(graph, waiter, track, cause),
		.end = graph->reached,
	};

	ASSUME(graph->depth < GRAPH_DEPTH_MAX);
	ARRAY_ADD(graph->frame, graph->depth, graph->frame_capacity) = frame;
}

static void graph_on_ascend(void *state)
{
	struct wait_graph *graph = state;
	struct wait_frame frame = graph->frame[--graph->depth];

	ASSUME(graph->depth < GRAPH_DEPTH_MAX && graph->reached <= frame.end);
	graph_count_wait(graph, &frame.way, graph->reached, frame.end);
}

/* Whether the lock has a known holder: a wait for it that has not ended is for that task. */
static bool wait_has_owner(const struct cause_note *cause)
{
	return cause && cause->kind == CAUSE_LOCK && cause->waker == TRACK_NONE &&
	       cause->originator != TRACK_NONE;
}

/* Adds a part in which the track waits for an object, or for the owner of a lock. */
static void graph_emit_object(struct wait_graph *graph, const struct part *part,
                              const struct cause_note *cause)
{
	bool has_owner = part->is_open && wait_has_owner(cause);
	struct wait_way way = graph_way(graph, part->track,
	                                has_owner ? cause->originator : TRACK_NONE, cause);

	graph_count_wait(graph, &way, part->begin, part->end);
	graph_charge(graph, &way, part->end - part->begin);
}

static void graph_on_part(void *state, const struct part *part)
{
	struct wait_graph *graph = state;

	assert(part->depth == graph->depth);
	ASSUME(part->begin < part->end && part->end == graph->reached);
	graph->parts_by_confidence[part->confidence]++;
	graph->reached = part->begin;
	if (part->state == PART_WAITING)
		graph_emit_object(graph, part, part->cause);
	else if (graph->depth == 0) /* a wait that explains itself, or that is too deep */
		graph_emit_object(graph, part,
		                  timeline_side_cause(graph->timeline, CAUSE_UNKNOWN));
	else
		graph_charge_track(graph, part->end - part->begin);
}

static void graph_on_cpu_parts(void *state, const struct cpu_parts *parts)
{
	struct wait_graph *graph = state;

	assert(graph->depth > 0); /* as in block_begin() */
	ASSUME(parts->part[0].end == graph->reached);
	for (size_t i = 0; i < parts->count; i++)
		graph->parts_by_confidence[parts->part[i].confidence]++;
	graph->reached = parts->part[parts->count - 1].begin;
	graph_charge_track(graph, parts->part[0].end - graph->reached);
}

/* Returns the edge; EDGE_NONE beyond the limit. */
static uint32_t graph_add_raw(struct wait_graph *graph, uint32_t track, nsec_t begin, nsec_t end,
                              const struct cause_note *cause)
{
	bool is_by_task = cause && cause->is_walked && cause->waker != track;
	uint32_t waited = is_by_task              ? cause->waker
	                  : wait_has_owner(cause) ? cause->originator
	                                          : TRACK_NONE;
	struct wait_way way = graph_way(graph, track, waited, cause);

	graph->root_edge = way.edge;
	if (way.edge == EDGE_NONE) {
		graph->overflow_raw += end - begin;
		return way.edge;
	}
	graph->edge[way.edge].raw += end - begin;
	graph->edge[way.edge].sum.count++;
	graph_count_wait(graph, &way, begin, end);
	return way.edge;
}

/* The edge that counts the waits for which this one stands. Each wait was counted at the edge of
   its own name, so for waits of several names it is one at which none is counted. */
static uint32_t graph_root_edge(struct wait_graph *graph, const struct sampled_wait *wait)
{
	struct wait_edge own;

	if (!wait->is_of_many || wait->tag == EDGE_NONE)
		return wait->tag;
	own = graph->edge[wait->tag];
	return graph_edge(graph, graph_waiter_node(graph, wait->track), own.to,
	                  (enum cause_kind)own.kind);
}

/* Adds the walk of the wait with the weight of all for which it stands. */
static void graph_walk(struct wait_graph *graph, const struct sampled_wait *wait)
{
	struct walk_visitor visitor = {
		.state = graph,
		.on_part = graph_on_part,
		.on_cpu_parts = graph_on_cpu_parts,
		.on_descend = graph_on_descend,
		.on_ascend = graph_on_ascend,
		.depth_max = GRAPH_DEPTH_MAX,
		.blocks = &graph->blocks,
	};

	graph->reached = wait->end;
	graph->is_of_many = wait->is_of_many;
	graph->root_edge = graph_root_edge(graph, wait);
	graph->weight = wait->waits > 1 ? sampled_wait_weight(wait) : 0;
	graph->scale = (struct walk_scale){.whole = wait->end - wait->begin, .time = wait->time};
	walk(graph->timeline, wait->track, wait->begin, wait->end, &visitor, &graph->result);
	assert(graph->reached == wait->begin && graph->depth == 0 && !graph->of_block);
	graph->is_of_many = false;
}

void wait_graph_add(struct wait_graph *graph, uint32_t track, nsec_t begin, nsec_t end,
                    const struct cause_note *cause)
{
	uint64_t parts = walk_parts_count(graph->parts_by_confidence) - graph->parts_in_blocks;
	struct sampled_wait wait = {
		.track = track, .begin = begin, .end = end, .time = end - begin, .waits = 1};

	assert(begin < end && graph->depth == 0);
	graph->waits++;
	graph->total += end - begin;
	graph->weight = 0;
	wait.tag = graph_add_raw(graph, track, begin, end, cause);
	if (walk_may_go_on(cause) && !walk_sample_is_free(&graph->sample, parts) &&
	    !walk_sample_take(&graph->sample, graph_task_node(graph, track), parts, &wait))
		return;
	graph_walk(graph, &wait);
}

void wait_graph_add_rest(struct wait_graph *graph)
{
	struct sampled_wait wait;

	for (size_t at = 0; walk_sample_rest(&graph->sample, &at, &wait);)
		graph_walk(graph, &wait);
}

void wait_graph_keep_kinds(struct wait_graph *graph, uint32_t kinds)
{
	size_t kept = 0;

	assert(!graph->knot);
	for (size_t i = 0; i < graph->edge_count; i++)
		if (kinds & 1u << graph->edge[i].kind)
			graph->edge[kept++] = graph->edge[i];
	graph->edge_count = kept;
	map_clear(&graph->edges.by_hash);
}

/* Sums up the edges at the nodes, and lists them as arcs. */
static void graph_sum_nodes(struct wait_graph *graph, struct arc *arcs)
{
	for (size_t i = 0; i < graph->edge_count; i++) {
		const struct wait_edge *edge = &graph->edge[i];

		ASSUME(edge->from < graph->node_count && edge->to < graph->node_count);
		graph->node[edge->from].waiting += edge->raw;
		graph->node[edge->to].waited_for += edge->sum.path;
		graph->node[edge->from].has_edge = graph->node[edge->to].has_edge = true;
		arcs[i] = (struct arc){edge->from, edge->to};
	}
}

ORDER_FUNCTION(knot_compare, struct wait_knot, FALLING(x, y, path), FALLING(x, y, raw),
               RISING(x, y, node))

/* Sums each component up as if it were a knot. */
static void graph_sum_knots(const struct wait_graph *graph, const uint32_t *component,
                            struct wait_knot *knot)
{
	for (size_t i = 0; i < graph->edge_count; i++) {
		const struct wait_edge *edge = &graph->edge[i];
		struct wait_knot *inside = &knot[component[edge->from]];

		if (component[edge->from] != component[edge->to])
			continue;
		inside->has_edge = true;
		inside->raw += edge->raw;
		inside->path += edge->sum.path;
	}
	for (uint32_t node = 0; node < graph->node_count; node++) {
		struct wait_knot *inside = &knot[component[node]];

		assert(inside->node_count < graph->node_count);
		if (inside->node_count == 0 ||
		    graph->node[node].waited_for > graph->node[inside->node].waited_for)
			inside->node = node;
		inside->node_count++;
	}
}

/* Numbers the knots in order of weight and marks their nodes and edges. */
static void graph_mark_knots(struct wait_graph *graph, const uint32_t *component,
                             uint32_t component_count)
{
	_cleanup_(freep) uint32_t *number = xcalloc(component_count, sizeof(*number));

	for (size_t i = 0; i < graph->knot_count; i++)
		number[component[graph->knot[i].node]] = (uint32_t)i + 1;
	for (size_t node = 0; node < graph->node_count; node++)
		graph->node[node].knot = number[component[node]];
	for (size_t i = 0; i < graph->edge_count; i++) {
		struct wait_edge *edge = &graph->edge[i];

		if (component[edge->from] == component[edge->to])
			edge->knot = number[component[edge->from]];
	}
}

void wait_graph_close(struct wait_graph *graph)
{
	_cleanup_(freep) struct arc *arcs = xcalloc(graph->edge_count, sizeof(*arcs));
	/* of each node: its number */
	_cleanup_(freep) uint32_t *component = xcalloc(graph->node_count, sizeof(*component));
	uint32_t component_count;

	assert(!graph->knot);
	graph_sum_nodes(graph, arcs);
	component_count =
		components_find(graph->node_count, arcs, graph->edge_count, component);
	graph->knot = xcalloc(component_count, sizeof(*graph->knot));
	graph_sum_knots(graph, component, graph->knot);
	for (uint32_t i = 0; i < component_count; i++)
		if (graph->knot[i].has_edge)
			graph->knot[graph->knot_count++] = graph->knot[i];
	if (graph->knot_count)
		qsort(graph->knot, graph->knot_count, sizeof(*graph->knot), knot_compare);
	graph_mark_knots(graph, component, component_count);
}
