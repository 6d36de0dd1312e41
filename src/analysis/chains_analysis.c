/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who waited for whom, and whom they waited for: the walk over every wait of the asked tasks,
 * folded. The totals of the chains sum to the asked tasks' waiting time; their stops are told
 * beside.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/format.h"
#include "graph/chain_tree.h"
#include "stop_list.h"
#include "wait_list.h"

/* All waits of the tasks of one name, which the outermost links of chains stand for. */
struct waiter {
	uint64_t count;
	nsec_t max, max_at;
};

struct chains {
	const struct question *question;
	struct chain_tree tree;
	struct stop_list stops;
	nsec_t total;
	uint64_t waits;
	struct waiter *waiter; /* by_name: id in the timeline's names -> index */
	size_t waiter_count, waiter_capacity;
	struct map by_name;
	size_t visited; /* waiter whose waits are walked */
};

static size_t chains_waiter(struct chains *chains, uint32_t name)
{
	uint32_t index = map_get(&chains->by_name, name);

	if (index != MAP_NONE)
		return index;
	ARRAY_GROW(chains->waiter, chains->waiter_count, chains->waiter_capacity);
	chains->waiter[chains->waiter_count] = (struct waiter){.max_at = NSEC_NEVER};
	map_put(&chains->by_name, name, (uint32_t)chains->waiter_count);
	return chains->waiter_count++;
}

static void chains_on_wait(void *state, const struct wait *wait)
{
	struct chains *chains = state;
	struct waiter *waiter = &chains->waiter[chains->visited];
	nsec_t begin, end;

	if (stop_list_add(&chains->stops, wait) ||
	    !wait_clip(chains->question, wait, &begin, &end))
		return;
	chains->total += end - begin;
	chains->waits++;
	waiter->count++;
	if (end - begin > waiter->max) {
		waiter->max = end - begin;
		waiter->max_at = begin;
	}
	chain_tree_add(&chains->tree, wait->line, begin, end);
}

/* All waits are walked; the asked kinds are those of the last link. */
static void chains_fill(struct chains *chains)
{
	struct question all_kinds = *chains->question;
	const struct timeline *timeline = all_kinds.timeline;

	all_kinds.kinds = KIND_MASK_ALL;
	for (uint32_t line = 0; line < timeline->line_count; line++) {
		if (!all_kinds.is_asked[line])
			continue;
		chains->visited = chains_waiter(
			chains, timeline_name_at(&timeline->line[line], NSEC_NEVER));
		wait_list_visit(&all_kinds, line, chains_on_wait, chains);
	}
}

static bool node_is_asked(const struct chains *chains, const struct chain_node *node)
{
	unsigned kind = node->cause ? node->cause->kind : CAUSE_UNKNOWN;

	return node->count &&
	       (chains->question->kinds == KIND_MASK_ALL ||
	        (node->state == PART_WAITING && (chains->question->kinds & 1u << kind)));
}

static const char *const sort_keys[] = {"total", "count", "max", NULL};

static int node_compare(const void *a, const void *b, void *state)
{
	const struct chains *chains = state;
	const struct chain_node *x = &chains->tree.node[*(const uint32_t *)a];
	const struct chain_node *y = &chains->tree.node[*(const uint32_t *)b];
	const char *sort = chains->question->sort;

	if (sort && strcmp(sort, "count") == 0 && x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (sort && strcmp(sort, "max") == 0 && x->max != y->max)
		return x->max > y->max ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return x < y ? -1 : x > y;
}

static const struct column columns[] = {
	{"links", "CHAIN", CELL_LINKS, 0},
	{"count", "COUNT", CELL_COUNT, 0},
	{"total_ns", "TOTAL", CELL_DURATION, COLUMN_WEIGHT},
	{"max_ns", "LONGEST", CELL_DURATION, 0},
	{"max_at_ns", "AT", CELL_INSTANT, 0},
	/* of the outermost link; empty where only some kinds are asked for */
	{"waiter_count", NULL, CELL_COUNT, COLUMN_TEXT_ONLY},
	{"waiter_max_ns", NULL, CELL_DURATION, COLUMN_TEXT_ONLY},
	{"waiter_max_at_ns", NULL, CELL_INSTANT, COLUMN_TEXT_ONLY},
};

/* Of the chain that ends at the node. */
static const struct waiter *chains_waiter_of(struct chains *chains, const struct chain_node *node)
{
	while (node->parent != CHAIN_ROOT)
		node = &chains->tree.node[node->parent];
	return &chains->waiter[chains_waiter(chains, node->comm)];
}

static void chains_row(struct chains *chains, const struct presenter *presenter, void *to,
                       uint32_t index)
{
	const struct chain_tree *tree = &chains->tree;
	const struct timeline *timeline = chains->question->timeline;
	const struct chain_node *leaf = &tree->node[index], *node = leaf;
	struct chain_link link[CHAIN_DEPTH_MAX + 2];
	struct cause cause[CHAIN_DEPTH_MAX + 2];
	bool is_all = chains->question->kinds == KIND_MASK_ALL;
	const struct waiter *waiter = chains_waiter_of(chains, leaf);
	size_t count = leaf->depth;

	for (size_t i = count; i-- > 0; node = &tree->node[node->parent]) {
		link[i] = (struct chain_link){
			.comm = intern_text(&timeline->names, node->comm),
			.state = part_state_name((enum part_state)node->state),
			.cause = node->cause ? &cause[i] : NULL,
		};
		if (node->cause)
			cause[i] = chain_node_cause(tree, node);
	}
	presenter->row(to, (struct cell[]){
				   {.type = CELL_LINKS, .links = {link, count}},
				   {.type = CELL_COUNT, .count = leaf->count},
				   {.type = CELL_DURATION, .time = leaf->total},
				   {.type = CELL_DURATION, .time = leaf->max},
				   {.type = CELL_INSTANT, .time = leaf->max_at},
				   {.type = is_all ? CELL_COUNT : CELL_EMPTY,
				    .count = waiter->count},
				   {.type = is_all ? CELL_DURATION : CELL_EMPTY,
				    .time = waiter->max},
				   {.type = is_all ? CELL_INSTANT : CELL_EMPTY,
				    .time = waiter->max_at},
			   });
}

/* `shown`: the time of the chains of the asked kinds. */
static void chains_tell(const struct chains *chains, nsec_t shown,
                        const struct presenter *presenter, void *to)
{
	char total[FORMAT_BYTES], part[FORMAT_BYTES], count[FORMAT_BYTES];
	struct buffer line;

	buffer_init(&line, 512);
	if (chains->waits == 0)
		buffer_puts(&line, "Nothing waited.");
	if (chains->waits && chains->question->kinds != KIND_MASK_ALL)
		buffer_printf(&line, "%s for the asked kinds, of ", format_duration(shown, part));
	if (chains->waits)
		buffer_printf(&line,
		              "%s of waiting in %s wait%s%s. "
		              "Below each: whom or what it waited for.",
		              format_duration(chains->total, total),
		              format_count(chains->waits, count), chains->waits == 1 ? "" : "s",
		              question_scope(chains->question));
	presenter->field(to, NULL, NULL, &(struct cell){.type = CELL_TEXT, .text = line.text});
	buffer_release(&line);
}

static void chains_note(struct chains *chains)
{
	struct health *health = chains->question->health;

	health->inconsistencies += chains->tree.result.cycles;
	health->depth_truncations += chains->tree.result.truncations;
	for (size_t i = 0; i < ARRAY_SIZE(health->parts_by_confidence); i++)
		health->parts_by_confidence[i] += chains->tree.parts_by_confidence[i];
	if (chains->tree.overflows)
		health_note(health,
		            "more than %u different chains: the last links of some are missing",
		            CHAIN_NODES_MAX);
}

static void chains_release(struct chains *chains)
{
	chain_tree_release(&chains->tree);
	stop_list_release(&chains->stops);
	map_release(&chains->by_name);
	free(chains->waiter);
}

static void chains_report(const void *state, const struct presenter *presenter, void *to)
{
	struct chains chains = {.question = state};
	uint32_t *leaf;
	size_t count = 0;
	nsec_t shown = 0;

	map_init(&chains.by_name);
	stop_list_init(&chains.stops, chains.question);
	chain_tree_init(&chains.tree, chains.question->timeline, CHAIN_NODES_MAX);
	chains_fill(&chains);
	chains_note(&chains);
	leaf = xreallocarray(NULL, chains.tree.count, sizeof(*leaf));
	for (uint32_t node = 1; node < chains.tree.count; node++)
		if (node_is_asked(&chains, &chains.tree.node[node])) {
			leaf[count++] = node;
			shown += chains.tree.node[node].total;
		}
	qsort_r(leaf, count, sizeof(*leaf), node_compare, &chains);
	presenter->section_begin(to, "chains", "Chains", /* is_list= */ true);
	chains_tell(&chains, shown, presenter, to);
	presenter->table_begin(to, "chains", NULL, columns, ARRAY_SIZE(columns), false);
	for (size_t i = 0; i < count; i++)
		chains_row(&chains, presenter, to, leaf[i]);
	presenter->table_end(to);
	presenter->section_end(to);
	stop_list_report(&chains.stops, presenter, to);
	free(leaf);
	chains_release(&chains);
}

const struct analysis chains_analysis = {
	.name = "chains",
	.title = "Chains",
	.sort_keys = sort_keys,
	.heeds = HEEDS_KINDS | HEEDS_CPUS | HEEDS_MIN | HEEDS_WALKS | HEEDS_FOLD,
	.needs_history = true,
	.report = chains_report,
};
