/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost_evidence.h"

#include "analysis/evidence/node_evidence.h"
#include "analysis/paths/path_task.h"
#include "base/cleanup.h"
#include "base/xalloc.h"

struct claims {
	struct cost_list *list;
	struct chain_tree tree; /* of what is walked once more */
	bool is_path;
};

static void cost_take(struct cost *cost, struct evidence_claim claim, nsec_t length)
{
	if (!cost || length <= cost->claim_length)
		return;
	cost->claim = claim;
	cost->claim_length = length;
}

/* The track whose wait the walk follows at that node of its tree. */
static uint32_t node_waiter(const struct chain_tree *tree, const struct chain_node *node)
{
	const struct chain_node *at = &tree->node[tree->at];
	size_t i = tree->path_count;

	while (i > 0 && at != node)
		at = &tree->node[tree->path[--i].node];
	return i > 0 ? tree->path[i - 1].waiter : TRACK_NONE;
}

static void claim_part(void *state, const struct part *part)
{
	struct claims *claims = state;
	const struct chain_node own = {
		.parent = claims->tree.at,
		.state = (uint8_t)part->state,
		.cause = shared_cause_of(part->cause),
	};
	const struct chain_node *charged = cost_node_charged(&claims->tree, &own);
	struct evidence_claim claim =
		evidence_claim_of(part->track, part->begin, part->is_inferred);

	if (charged != &own)
		claim.track = node_waiter(&claims->tree, charged);
	cost_take(cost_list_get(claims->list, cost_of_node(charged, claims->is_path),
	                        charged->cause.note, claim.track),
	          claim, part->end - part->begin);
}

static void claim_cpu_parts(void *state, const struct cpu_parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		claim_part(state, &(struct part){
			.begin = parts->part[i].begin,
			.end = parts->part[i].end,
			.track = parts->track,
			.state = parts->part[i].is_running ? PART_RUNNING : PART_RUNNABLE,
			.is_inferred = parts->is_inferred,
		});
}

static void claim_stretch(void *state, uint32_t track, nsec_t begin, nsec_t end)
{
	struct claims *claims = state;

	chain_tree_add(&claims->tree, track, begin, end);
}

static void claim_sleep(void *state, uint32_t track, enum chosen_sleep chosen, nsec_t begin,
                        nsec_t end)
{
	struct claims *claims = state;

	cost_take(cost_list_get(claims->list, cost_of_sleep(chosen), NULL, track),
	          evidence_claim_of(track, begin, false), end - begin);
}

/* Of a task's own time; waits are walked, but for those that the summary leaves to their tasks. */
static void claim_own(void *state, const struct own_time *time)
{
	struct claims *claims = state;

	if (time->kind == COST_WAIT || time->kind == COST_OPEN || time->kind == COST_ASLEEP)
		return;
	cost_take(cost_list_get(claims->list, time->kind, NULL, time->track),
	          evidence_claim_of(time->track, time->begin, false),
	          time->end - time->begin);
}

/* Each cost is proved by one wait: the longest one of the chain node that has most of the cost. The
   node knows when that wait began, so only these waits are walked. */
static void claim_tree(struct claims *claims, const struct chain_tree *waits)
{
	struct cost_list *list = claims->list;
	const struct chain_node *none = &waits->node[CHAIN_ROOT];
	_cleanup_(freep) const struct chain_node **most =
		xcalloc(list->count + 1, sizeof(const struct chain_node *));

	EACH_OF(waits->node + 1, waits->count - 1, const struct chain_node, node) {
		const struct chain_node *charged = cost_node_charged(waits, node);
		const struct cost *cost = cost_list_get(
			list, cost_of_node(charged, /* is_path= */ false), charged->cause.note,
			charged->voter.track);
		size_t at = cost ? (size_t)(cost - list->cost) : list->count;

		if (node->max > (most[at] ? most[at] : none)->max)
			most[at] = node;
	}
	for (size_t i = 0; i < list->count; i++)
		if (most[i])
			node_waits_visit(list->question, waits, most[i], claim_stretch, claims);
}

void costs_claim(struct cost_list *list, const struct explanation *explanation)
{
	struct claims claims = {.list = list, .is_path = explanation->path_track != TRACK_NONE};
	const struct stretch_visitor visitor = {&claims, claim_stretch, claim_sleep};

	if (!list->question->evidence)
		return;
	chain_tree_init(&claims.tree, list->timeline, CHAIN_NODES_MAX);
	claims.tree.on_part = claim_part;
	claims.tree.on_cpu_parts = claim_cpu_parts;
	claims.tree.on_part_state = &claims;
	if (claims.is_path) {
		path_stretches(list->timeline, explanation->path_track, explanation->path_begin,
		               explanation->path_until, &visitor);
	} else {
		ASKED_EACH(list->question, track)
			own_time_visit(list->question, track, explanation->has_programs, claim_own,
			               &claims);
		claim_tree(&claims, &explanation->waits);
	}
	chain_tree_release(&claims.tree);
}
