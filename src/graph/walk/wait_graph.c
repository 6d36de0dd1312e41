/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/cleanup.h"
#include "base/data/map.h"
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

/* The amount added to one edge. */
struct wait_sum {
	uint32_t edge; /* EDGE_NONE: beyond the limit */
	nsec_t path;
	uint64_t count;
	nsec_t max, max_at; /* max: the longest of the count; max_at: when it began, of equally
	                       long ones the one added first */
	struct voter waiter, waited;
};

/*
 * A block of segments (walk_blocks.h) that is being summed up. It adds amounts for some edges, and
 * for the edge along which the walk came to the block's track.
 */
struct wait_block {
	struct map by_edge; /* index in sum */
	struct wait_sum *sum;
	size_t count, capacity;
	size_t depth; /* of the graph, on the block's own track */
	nsec_t own;   /* time of that track, for the edge that led there */
	uint64_t parts_before[3];
};

struct wait_sums {
	nsec_t own;
	uint64_t parts_by_confidence[3];
	size_t count;
	struct wait_sum sum[];
};

static const struct walk_block_hooks block_hooks;

/* Drops what is being summed up, if anything is. */
static void block_release(struct wait_graph *graph)
{
	if (!graph->of_block)
		return;
	map_release(&graph->of_block->by_edge);
	free(graph->of_block->sum);
	free(graph->of_block);
	graph->of_block = NULL;
}

void wait_graph_init(struct wait_graph *graph, struct timeline *timeline)
{
	*graph = (struct wait_graph){
		.timeline = timeline,
		.node_limit = WAIT_GRAPH_NODES_MAX,
		.edge_limit = WAIT_GRAPH_EDGES_MAX,
	};
	map_init(&graph->node_by_hash);
	map_init(&graph->edge_by_hash);
	walk_blocks_init(&graph->blocks, &block_hooks);
	walk_sample_init(&graph->sample);
}

void wait_graph_release(struct wait_graph *graph)
{
	free(graph->node);
	free(graph->edge);
	free(graph->knot);
	free(graph->frame);
	map_release(&graph->node_by_hash);
	map_release(&graph->edge_by_hash);
	walk_blocks_release(&graph->blocks);
	walk_sample_release(&graph->sample);
	block_release(graph);
	*graph = (struct wait_graph){0};
}

static uint64_t node_key_hash(const struct wait_node_key *key)
{
	return cause_identity_hash(&key->identity, (uint64_t)key->memory << 16 |
	                                                   (uint64_t)key->kind << 3 |
	                                                   (uint64_t)key->is_task << 2 |
	                                                   (key->is_open ? 2u : 0u));
}

static bool node_key_is_alike(const struct wait_node_key *a, const struct wait_node_key *b)
{
	return a->kind == b->kind && a->is_task == b->is_task && a->is_open == b->is_open &&
	       a->memory == b->memory && cause_identity_is_same(&a->identity, &b->identity);
}

uint32_t wait_graph_node(struct wait_graph *graph, const struct wait_node_key *key)
{
	uint64_t hash = node_key_hash(key);
	uint32_t index;

	MAP_HASH_EACH(&graph->node_by_hash, hash, index)
		if (node_key_is_alike(&graph->node[index].key, key))
			return index;
	if (graph->node_count >= graph->node_limit)
		return WAIT_NODE_NONE;
	ARRAY_GROW(graph->node, graph->node_count, graph->node_capacity);
	graph->node[graph->node_count] = (struct wait_node){.key = *key};
	map_put(&graph->node_by_hash, hash, (uint32_t)graph->node_count);
	return (uint32_t)graph->node_count++;
}

struct wait_edge *wait_graph_edge(struct wait_graph *graph, uint32_t from, uint32_t to,
                                  enum cause_kind kind)
{
	uint64_t hash = hash_mix(kind, (uint64_t)from << 32 | to);
	uint32_t index;

	if (from == WAIT_NODE_NONE || to == WAIT_NODE_NONE)
		return NULL;
	MAP_HASH_EACH(&graph->edge_by_hash, hash, index) {
		struct wait_edge *edge = &graph->edge[index];

		if (edge->from == from && edge->to == to && edge->kind == kind)
			return edge;
	}
	if (graph->edge_count >= graph->edge_limit)
		return NULL;
	ARRAY_GROW(graph->edge, graph->edge_count, graph->edge_capacity);
	graph->edge[graph->edge_count] = (struct wait_edge){
		.from = from, .to = to, .kind = (uint8_t)kind, .max_at = NSEC_NEVER};
	map_put(&graph->edge_by_hash, hash, (uint32_t)graph->edge_count);
	return &graph->edge[graph->edge_count++];
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

/* Whether the wait has not ended, and no more is known of it: all such waits share one node. */
static bool wait_is_open(const struct cause_note *cause)
{
	return !cause || (cause->kind == CAUSE_UNKNOWN && cause->as.unknown.is_open);
}

/* The node of the object that the cause names; cause NULL: the wait had not ended. */
static uint32_t graph_object_node(struct wait_graph *graph, const struct cause_note *cause)
{
	struct wait_node_key key = {.kind = CAUSE_UNKNOWN, .is_open = wait_is_open(cause)};

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
		return (uint32_t)(edge - graph->edge);
	graph->overflows++;
	return EDGE_NONE;
}

/* Index of the edge from the waiter's node to another. */
static uint32_t graph_edge_to(struct wait_graph *graph, uint32_t waiter, uint32_t to,
                              const struct cause_note *cause)
{
	uint32_t from = graph_waiter_node(graph, waiter);
	enum cause_kind kind = cause ? (enum cause_kind)cause->kind : CAUSE_UNKNOWN;

	return graph_edge(graph, from, to, kind);
}

/* waited TRACK_NONE: the wait is for the object that the cause names. */
static struct wait_way graph_way(struct wait_graph *graph, uint32_t waiter, uint32_t waited,
                                 const struct cause_note *cause)
{
	uint32_t to = waited == TRACK_NONE ? graph_object_node(graph, cause)
	                                   : graph_task_node(graph, waited);

	return (struct wait_way){graph_edge_to(graph, waiter, to, cause), waiter, waited};
}

/* Adds one sum to another of the same edge, of earlier time. */
static void wait_sum_join(struct wait_sum *sum, const struct wait_sum *other)
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

/* Adds to the sum of that edge of the block that is being summed up. */
static void block_add_sum(struct wait_graph *graph, const struct wait_sum *sum)
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

static void edge_add_sum(struct wait_graph *graph, const struct wait_sum *sum)
{
	struct wait_edge *edge;

	if (sum->edge == EDGE_NONE) {
		graph->overflow_path += sum->path;
		return;
	}
	edge = &graph->edge[sum->edge];
	edge->path += sum->path;
	edge->count += sum->count;
	if (sum->max > edge->max) {
		edge->max = sum->max;
		edge->max_at = sum->max_at;
	}
	voter_add(&edge->waiter, &sum->waiter);
	voter_add(&edge->waited, &sum->waited);
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
		block_add_sum(graph, sum);
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

/* Charges the time to the block's own track if the walk is on it; false: the walk is further on. */
static bool block_charge_track(struct wait_graph *graph, nsec_t length)
{
	if (graph->depth != graph->of_block->depth)
		return false;
	graph->of_block->own += length;
	return true;
}

/* Charges so much of the time of the walk's present track to the edge that led there. */
static void graph_charge_track(struct wait_graph *graph, nsec_t length)
{
	if (!graph->of_block || !block_charge_track(graph, length))
		graph_charge(graph, &graph->frame[graph->depth - 1].way, length);
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

/* Adds all sums except the numbers of parts. */
static void sums_add(struct wait_graph *graph, const struct wait_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		graph_add_sum(graph, &sums->sum[i]);
	if (sums->own)
		graph_charge_track(graph, sums->own);
}

static void *block_end(void *state, bool is_kept)
{
	struct wait_graph *graph = state;
	struct wait_sums *sums = sums_of(graph);

	block_release(graph);
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
	graph->parts_in_blocks += walk_parts_count(sums->parts_by_confidence);
	graph->reached = t;
}

static const struct walk_block_hooks block_hooks = {
	.begin = block_begin,
	.end = block_end,
	.add = block_add,
	.free = free,
};

static void graph_on_descend(void *state, uint32_t waiter, uint32_t track,
                             const struct cause_note *cause)
{
	struct wait_graph *graph = state;
	struct wait_frame frame = {
		.way = graph_way(graph, waiter, track, cause),
		.end = graph->reached,
	};

	ARRAY_GROW(graph->frame, graph->depth, graph->frame_capacity);
	graph->frame[graph->depth++] = frame;
}

static void graph_on_ascend(void *state)
{
	struct wait_graph *graph = state;
	struct wait_frame frame = graph->frame[--graph->depth];

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
	struct cause_note unknown;

	cause_note_init(&unknown, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	assert(part->depth == graph->depth);
	graph->parts_by_confidence[part->confidence]++;
	graph->reached = part->begin;
	if (part->state == PART_WAITING)
		graph_emit_object(graph, part, part->cause);
	else if (graph->depth == 0) /* a wait that explains itself, or that is too deep */
		graph_emit_object(graph, part, &unknown);
	else
		graph_charge_track(graph, part->end - part->begin);
}

static void graph_on_cpu_parts(void *state, const struct cpu_parts *parts)
{
	struct wait_graph *graph = state;

	assert(graph->depth > 0); /* as in block_begin() */
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
	graph->edge[way.edge].count++;
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

/* Adds the walk of the wait with the weight of all for which it
   stands. */
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
	assert(graph->reached == wait->begin && graph->depth == 0);
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

	for (size_t i = 0; i < graph->edge_count; i++)
		if (kinds & 1u << graph->edge[i].kind)
			graph->edge[kept++] = graph->edge[i];
	graph->edge_count = kept;
	map_clear(&graph->edge_by_hash);
}

static void graph_sum_nodes(struct wait_graph *graph)
{
	for (size_t i = 0; i < graph->edge_count; i++) {
		const struct wait_edge *edge = &graph->edge[i];

		graph->node[edge->from].waiting += edge->raw;
		graph->node[edge->to].waited_for += edge->path;
		graph->node[edge->from].has_edge = graph->node[edge->to].has_edge = true;
	}
}

/* The component of each node, by number; the caller frees it. */
static uint32_t *graph_components(const struct wait_graph *graph, uint32_t *ret_count)
{
	_cleanup_(freep) struct arc *arcs = xcalloc(graph->edge_count, sizeof(*arcs));
	uint32_t *component = xcalloc(graph->node_count, sizeof(*component));

	for (size_t i = 0; i < graph->edge_count; i++)
		arcs[i] = (struct arc){graph->edge[i].from, graph->edge[i].to};
	*ret_count = components_find(graph->node_count, arcs, graph->edge_count, component);
	return component;
}

static int knot_compare(const void *a, const void *b)
{
	const struct wait_knot *x = a, *y = b;

	if (x->path != y->path)
		return x->path > y->path ? -1 : 1;
	if (x->raw != y->raw)
		return x->raw > y->raw ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

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
		inside->path += edge->path;
	}
	for (uint32_t node = 0; node < graph->node_count; node++) {
		struct wait_knot *inside = &knot[component[node]];

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
	uint32_t component_count;
	_cleanup_(freep) uint32_t *component = graph_components(graph, &component_count);

	assert(!graph->knot);
	graph_sum_nodes(graph);
	graph->knot = xcalloc(component_count, sizeof(*graph->knot));
	graph_sum_knots(graph, component, graph->knot);
	for (uint32_t i = 0; i < component_count; i++)
		if (graph->knot[i].has_edge)
			graph->knot[graph->knot_count++] = graph->knot[i];
	if (graph->knot_count)
		qsort(graph->knot, graph->knot_count, sizeof(*graph->knot), knot_compare);
	graph_mark_knots(graph, component, component_count);
}
