/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cost_evidence.h"

#include "analysis/paths/path_task.h"
#include "graph/walk/walk.h"

/* The cost that the time of that state and cause was added to; NULL: none. */
static struct cost *cost_of(struct cost_list *list, enum cost_kind kind,
                            const struct cause_note *cause)
{
	EACH_OF(list->cost, list->count, struct cost, cost)
		if (cost_is_of(cost, kind, kind == COST_WAIT ? cause : NULL))
			return cost;
	return NULL;
}

static void cost_take(struct cost *cost, uint32_t track, nsec_t begin, nsec_t length,
                      bool is_inferred)
{
	if (!cost || length <= cost->claim_length)
		return;
	cost->claim = (struct evidence_claim){track, begin, is_inferred};
	cost->claim_length = length;
}

static void claim_part(void *state, const struct part *part)
{
	struct cost_list *list = state;
	enum cost_kind kind = cost_of_part(part->state, part->cause);

	cost_take(cost_of(list, kind, part->cause), part->track, part->begin,
	          part->end - part->begin, part->is_inferred);
}

static void claim_stretch(void *state, uint32_t track, nsec_t begin, nsec_t end)
{
	struct cost_list *list = state;
	const struct walk_visitor visitor = {.state = list, .on_part = claim_part};
	struct walk_result result = {0};

	walk(list->timeline, track, begin, end, &visitor, &result);
}

static void claim_sleep(void *state, uint32_t track, enum chosen_sleep chosen, nsec_t begin,
                        nsec_t end)
{
	struct cost_list *list = state;

	cost_take(cost_of(list, chosen == SLEEP_FOR_WORK ? COST_FOR_WORK : COST_ASLEEP, NULL),
	          track, begin, end - begin, false);
}

/* Of several tasks a node knows when its longest walk began, and which task had most of it. */
static void claim_node(struct cost_list *list, const struct chain_node *node)
{
	struct timeline *timeline = list->timeline;
	enum cost_kind kind = cost_of_part((enum part_state)node->state, node->cause.note);
	uint32_t track = node->voter.track;
	const struct cause_note *cause;
	struct span span;
	size_t at;

	if (track >= timeline->track_count)
		return;
	at = timeline_find(&timeline->track[track], node->max_at + 1);
	if (at == SIZE_MAX)
		return;
	span = timeline_span(timeline, track, at);
	cause = span.kind == SEGMENT_WAIT ? span.cause : NULL;
	if ((span.kind == SEGMENT_WAIT) != (node->state == PART_WAITING) ||
	    (cause != node->cause.note && !cause_notes_are_shared(cause, node->cause.note)))
		return;
	if (cause && cause_note_is_sleep(cause) && node->parent == CHAIN_ROOT)
		kind = COST_ASLEEP;
	cost_take(cost_of(list, kind, node->cause.note), track, node->max_at, node->max, false);
}

void costs_claim(struct cost_list *list, const struct explanation *explanation)
{
	const struct stretch_visitor visitor = {list, claim_stretch, claim_sleep};

	if (!list->question->evidence)
		return;
	if (explanation->path_track != TRACK_NONE)
		path_stretches(list->timeline, explanation->path_track, explanation->path_begin,
		               explanation->path_until, &visitor);
	else
		EACH_OF(explanation->waits.node + 1, explanation->waits.count - 1,
		        const struct chain_node, node)
			claim_node(list, node);
}
