/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sample_check.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "graph/walk/chain_tree.h"
#include "graph/walk/wait_graph.h"
#include "random.h"

typedef void wait_taker(void *state, uint32_t track, nsec_t begin, nsec_t end,
                        const struct cause_note *cause);

static void each_wait(struct timeline *timeline, wait_taker *take, void *state)
{
	for (uint32_t index = 0; index < timeline->track_count; index++) {
		const struct track *track = &timeline->track[index];

		for (size_t at = 0; at < track->segment_count; at++) {
			const struct segment *segment = &track->segment[at];
			nsec_t end = timeline_segment_end(track, at);

			if (segment->kind == SEGMENT_WAIT && segment->begin < end)
				take(state, index, segment->begin, end,
				     segment->cause == CAUSE_NONE
				             ? NULL
				             : timeline_cause_at(timeline, segment->cause));
		}
	}
}

static void chain_take(void *state, uint32_t track, nsec_t begin, nsec_t end,
                       const struct cause_note *cause)
{
	chain_tree_add_wait(state, track, begin, end, cause);
}

static void graph_take(void *state, uint32_t track, nsec_t begin, nsec_t end,
                       const struct cause_note *cause)
{
	wait_graph_add(state, track, begin, end, cause);
}

/* Returns how many parts seem to be walked already: there is time for the first walks only when so
   many waits came that these are made up for, perhaps never. */
static uint64_t sample_limit(struct walk_sample *sample, uint64_t waits, struct random *random)
{
	sample->parts_free = sample->parts_max = random_below(random, 8);
	sample->is_partial = true;
	if (random_below(random, 2))
		sample->names_max = 1 + random_below(random, 4);
	return random_below(random, SAMPLE_PARTS_THEN * waits * 3 / 2);
}

static void sample_count_add(struct sample_count *count, const struct walk_sample *sample)
{
	count->waits += sample->waits;
	count->spared += sample->spared;
	count->spared_of_many += sample->spared_of_many;
}

/* Adds to `by_name`, by id, the time of all leaves below each name that waited; returns its sum. */
static nsec_t times_of(const struct chain_tree *tree, nsec_t *by_name)
{
	nsec_t sum = 0;

	for (uint32_t leaf = 1; leaf < tree->count; leaf++) {
		const struct chain_node *waiter = &tree->node[leaf];

		while (waiter->parent != CHAIN_ROOT)
			waiter = &tree->node[waiter->parent];
		by_name[waiter->comm] += tree->node[leaf].total;
		sum += tree->node[leaf].total;
	}
	return sum;
}

static const char *chains_check(struct timeline *timeline, struct random *random,
                                struct sample_count *count)
{
	struct chain_tree all, some;
	nsec_t *exact, *times;
	const char *wrong = NULL;

	chain_tree_init(&all, timeline, CHAIN_NODES_MAX);
	chain_tree_init(&some, timeline, CHAIN_NODES_MAX);
	all.sample.parts_free = UINT64_MAX;
	each_wait(timeline, chain_take, &all);
	some.parts_by_confidence[CONFIDENCE_LOW] =
		sample_limit(&some.sample, all.sample.waits, random);
	each_wait(timeline, chain_take, &some);
	chain_tree_add_rest(&some);
	exact = xcalloc(timeline->names.count, sizeof(*exact));
	times = xcalloc(timeline->names.count, sizeof(*times));
	if (times_of(&all, exact) != times_of(&some, times))
		wrong = "sampled chains have another sum";
	for (uint32_t name = 0; !wrong && name < timeline->names.count; name++)
		if (name != some.many_name &&
		    (times[name] > exact[name] ||
		     (times[name] < exact[name] && times[some.many_name] == 0)))
			wrong = "a name has another time in sampled chains";
	sample_count_add(count, &some.sample);
	free(exact);
	free(times);
	chain_tree_release(&all);
	chain_tree_release(&some);
	return wrong;
}

/* Edges are numbered as they come: those of DIRECT may have other numbers in the other graph. */
static nsec_t raw_of_same(struct wait_graph *graph, const struct wait_graph *of,
                          const struct wait_edge *edge)
{
	uint32_t from = wait_graph_node(graph, &of->node[edge->from].key);
	uint32_t to = wait_graph_node(graph, &of->node[edge->to].key);
	const struct wait_edge *same =
		wait_graph_edge(graph, from, to, (enum cause_kind)edge->kind);

	return same ? same->raw : 0;
}

static nsec_t path_of(const struct wait_graph *graph)
{
	nsec_t sum = graph->overflow_path;

	for (size_t i = 0; i < graph->edge_count; i++)
		sum += graph->edge[i].sum.path;
	return sum;
}

static const char *graphs_check(struct timeline *timeline, struct random *random,
                                struct sample_count *count)
{
	struct wait_graph all, some;
	const char *wrong = NULL;

	wait_graph_init(&all, timeline);
	wait_graph_init(&some, timeline);
	all.sample.parts_free = UINT64_MAX;
	each_wait(timeline, graph_take, &all);
	some.parts_by_confidence[CONFIDENCE_LOW] =
		sample_limit(&some.sample, all.sample.waits, random);
	each_wait(timeline, graph_take, &some);
	wait_graph_add_rest(&some);
	if (some.total != all.total || path_of(&some) != some.total)
		wrong = "a sampled graph has another sum";
	for (size_t i = 0; !wrong && i < all.edge_count; i++)
		if (all.edge[i].raw != raw_of_same(&some, &all, &all.edge[i]))
			wrong = "DIRECT differs in a sampled graph";
	sample_count_add(count, &some.sample);
	wait_graph_release(&all);
	wait_graph_release(&some);
	return wrong;
}

const char *sample_check(struct timeline *timeline, uint64_t seed, struct sample_count *count)
{
	struct random random = {seed};
	const char *wrong = chains_check(timeline, &random, count);

	return wrong ? wrong : graphs_check(timeline, &random, count);
}
