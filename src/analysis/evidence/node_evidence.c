/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "node_evidence.h"

void node_waits_visit(const struct question *question, const struct chain_tree *tree,
                      const struct chain_node *node,
                      void (*take)(void *state, uint32_t track, nsec_t begin, nsec_t end),
                      void *state)
{
	struct timeline *timeline = question->timeline;
	const struct chain_node *first = node;

	while (first->parent != CHAIN_ROOT)
		first = &tree->node[first->parent];
	ASKED_EACH(question, i) {
		struct track *track = &timeline->track[i];
		size_t at = timeline_find(track, node->max_at + 1);
		nsec_t begin, end;

		if (name_fold(tree->folds, track_name(track)) != first->comm || at == SIZE_MAX ||
		    track->segment[at].kind != SEGMENT_WAIT)
			continue;
		begin = track->segment[at].begin;
		end = timeline_segment_end(track, at);
		if (question_clip(question, &begin, &end) && begin == node->max_at)
			take(state, i, begin, end);
	}
}

struct node_search {
	const struct chain_tree *tree;
	const struct chain_node *node;
	struct evidence_claim claim;
	nsec_t length;
};

static bool part_is_of_node(const struct part *part, const struct chain_tree *tree,
                            const struct chain_node *node)
{
	const struct track *track = &tree->timeline->track[part->track];

	return part->depth + 1 == node->depth && part->state == node->state &&
	       name_fold(tree->folds, track_name(track)) == node->comm &&
	       (part->state != PART_WAITING ||
	        cause_notes_are_shared(part->cause, node->cause.note));
}

static void search_part(void *state, const struct part *part)
{
	struct node_search *search = state;
	nsec_t length = part->end - part->begin;

	if (length <= search->length || !part_is_of_node(part, search->tree, search->node))
		return;
	search->length = length;
	search->claim = evidence_claim_of(part->track, part->begin, part->is_inferred);
}

static void search_wait(void *state, uint32_t track, nsec_t begin, nsec_t end)
{
	struct node_search *search = state;
	const struct walk_visitor visitor = {
		.state = search, .on_part = search_part, .depth_max = CHAIN_DEPTH_MAX};
	struct walk_result result = {0};

	walk(search->tree->timeline, track, begin, end, &visitor, &result);
}

struct evidence_claim node_claim(const struct question *question, const struct chain_tree *tree,
                                 const struct chain_node *node)
{
	struct node_search search = {.tree = tree, .node = node, .claim.track = TRACK_NONE};

	node_waits_visit(question, tree, node, search_wait, &search);
	return search.claim;
}
