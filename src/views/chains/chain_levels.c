/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain_levels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/evidence/node_evidence.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/xalloc.h"
#include "words/cause/cause_kind.h"
#include "words/cause/cause_words.h"

/* A link has one or two levels; the outermost link may have three: its task, its state and its
   cause. */
static_assert(2 * (CHAIN_DEPTH_MAX + 2) + 1 <= TREE_DEPTH_MAX, "chains are deeper than trees");

void chain_levels_init(struct chain_levels *levels, const struct chain_tree *chains,
                       const struct question *question)
{
	*levels = (struct chain_levels){
		.chains = chains,
		.question = question,
	};
	level_tree_init(&levels->tree);
	link_names_init(&levels->names, chains->timeline);
	levels->names.folds = chains->folds;
	levels->of_link = xcalloc(chains->count, sizeof(*levels->of_link));
	levels->who_of_link = xcalloc(chains->count, sizeof(*levels->who_of_link));
	levels->total_of_link = xcalloc(chains->count, sizeof(*levels->total_of_link));
}

void chain_levels_release(struct chain_levels *levels)
{
	level_tree_release(&levels->tree);
	link_names_release(&levels->names);
	free(levels->of_link);
	free(levels->who_of_link);
	free(levels->total_of_link);
	*levels = (struct chain_levels){0};
}

static uint32_t cause_level(struct chain_levels *levels, uint32_t parent, uint32_t link,
                            struct buffer *label)
{
	struct cause cause = chain_node_cause(levels->chains, &levels->chains->node[link]);

	if (cause.kind == CAUSE_UNKNOWN && cause.as.unknown.is_open)
		open_text_append(label, levels->question->resolved->open_words, &cause);
	else
		cause_text_append(label, &cause);
	return level_tree_below(&levels->tree, parent, label, link);
}

/* " (for data from a pipe)": what the waiter needed from the task of the link. */
static void purpose_of_task_append(const struct chain_levels *levels, uint32_t link,
                                   struct buffer *label)
{
	const struct chain_node *before = &levels->chains->node[levels->chains->node[link].parent];
	struct cause cause;

	if (!before->cause.note || before->cause.note->kind != CAUSE_TASK)
		return;
	cause = chain_node_cause(levels->chains, before);
	purpose_append(label, &cause);
}

/*
 * The link's task is one level. What the task waited for is the next level, unless it is another
 * task: that task is the next link, and has its own level. The first link's state is not part of
 * its label, so that all chains of one waiter meet in one root.
 */
static uint32_t link_levels(struct chain_levels *levels, uint32_t parent, uint32_t link,
                            struct buffer *label)
{
	const struct chain_node *node = &levels->chains->node[link];
	const char *comm = intern_text(&levels->chains->timeline->names, node->comm);
	enum part_state state = (enum part_state)node->state;
	bool waits = node->state == PART_WAITING, is_first = node->parent == CHAIN_ROOT;
	uint32_t level;

	buffer_puts_clean(label, comm, strlen(comm));
	if (!is_first && !waits)
		part_state_append(label, state);
	if (!is_first)
		purpose_of_task_append(levels, link, label);
	level = level_tree_below(&levels->tree, parent, label, 0);
	levels->who_of_link[link] = level;
	if (is_first)
		levels->tree.level[level].comm = comm;
	if (is_first && !waits) {
		buffer_puts(label, part_state_words(state));
		level = level_tree_below(&levels->tree, level, label, 0);
	}
	if (node->cause.note && node->cause.note->kind != CAUSE_TASK)
		level = cause_level(levels, level, link, label);
	return level;
}

/* The innermost level of the link, below which the levels of the next links are; makes the levels
   of the link and of all links before it, if needed. */
static uint32_t level_of_link(struct chain_levels *levels, uint32_t link, struct buffer *label)
{
	uint32_t path[CHAIN_DEPTH_MAX + 2], level = 0;
	size_t count = 0;

	for (; link != CHAIN_ROOT; link = levels->chains->node[link].parent) {
		level = levels->of_link[link];
		if (level)
			break;
		assert(count < ARRAY_SIZE(path));
		path[count++] = link;
	}
	while (count > 0) {
		link = path[--count];
		level = link_levels(levels, level, link, label);
		levels->of_link[link] = level;
	}
	return level;
}

/* The level for the end of the chain. Unknown time has a level, too, so that children sum to their
   parent. */
static uint32_t level_of_end(struct chain_levels *levels, uint32_t link, struct buffer *label)
{
	const struct chain_node *node = &levels->chains->node[link];
	uint32_t level = level_of_link(levels, link, label);

	if (node->cause.note && node->cause.note->kind == CAUSE_TASK)
		return cause_level(levels, level, link, label);
	if (node->cause.note || node->state != PART_WAITING)
		return level;
	buffer_puts(label, levels->question->resolved->open_words);
	return level_tree_below(&levels->tree, level, label, 0);
}

void chain_levels_add(struct chain_levels *levels, uint32_t node, const struct figures *waiter)
{
	const struct chain_node *end = &levels->chains->node[node];
	const struct figures figures = {end->total, end->count, end->max, end->max_at};
	_cleanup_(buffer_release) struct buffer label = {0};
	uint32_t level, root;

	if (levels->chain_count >= CHAIN_LEVELS_CHAINS_MAX ||
	    !level_tree_has_room(&levels->tree, 2u * end->depth + 1)) {
		figures_add(&levels->tree.level[0].figures, &figures);
		levels->chains_left_out++;
		levels->total_left_out += figures.total;
		return;
	}
	levels->chain_count++;
	levels->total_of_link[node] += figures.total;
	buffer_init(&label, BUFFER_LIMIT_DEFAULT);
	level = level_of_end(levels, node, &label);
	if (!levels->tree.level[level].end) /* the largest chain comes first */
		levels->tree.level[level].end = node;
	root = level_tree_add(&levels->tree, level, &figures);
	if (waiter)
		level_tree_set(&levels->tree, root, waiter);
}

/* The tag is the link of the chain tree whose cause the label describes; 0: the label is of a
   task. */
static bool link_cause(const void *state, uint32_t link, struct cause *ret)
{
	const struct chain_levels *levels = state;

	if (link == 0)
		return false;
	*ret = chain_node_cause(levels->chains, &levels->chains->node[link]);
	return true;
}

/* Of the chain that ends at the node of the chain tree. */
static struct evidence_found chain_evidence(const void *state, uint32_t end)
{
	const struct chain_levels *levels = state;

	return evidence_of(levels->question->evidence,
	                   node_claim(levels->question, levels->chains,
	                              &levels->chains->node[end]));
}

/* Replaces the task's name at the begin of the level's label. */
static void level_name(struct chain_levels *levels, uint32_t link, const struct voter *voter,
                       struct buffer *plain, struct buffer *label)
{
	const struct chain_node *node = &levels->chains->node[link];
	const char *comm = intern_text(&levels->chains->timeline->names, node->comm);
	uint32_t level = levels->who_of_link[link];
	bool is_own = node->parent != CHAIN_ROOT &&
	              levels->chains->node[node->parent].comm == node->comm;

	buffer_clear(plain);
	buffer_puts_clean(plain, comm, strlen(comm));
	(void)link_names_append(&levels->names, node->comm, voter, is_own, label);
	buffer_puts(label, level_tree_label(&levels->tree, level) + plain->length);
	level_tree_name(&levels->tree, level, label);
}

/* Each link votes for the task of its level, weighted with all the time that was added at or below
   it. */
static void levels_name(struct chain_levels *levels)
{
	_cleanup_(freep) struct voter *voter = xcalloc(levels->tree.count, sizeof(*voter));
	_cleanup_(buffer_release) struct buffer plain = {0}, label = {0};
	_cleanup_(freep) bool *is_named = xcalloc(levels->tree.count, sizeof(*is_named));
	_cleanup_(freep) nsec_t *total = xcalloc(levels->chains->count, sizeof(*total));

	memcpy(total, levels->total_of_link, levels->chains->count * sizeof(*total));
	buffer_init(&plain, BUFFER_LIMIT_DEFAULT);
	buffer_init(&label, BUFFER_LIMIT_DEFAULT);
	/* links are stored after their parents */
	for (size_t link = levels->chains->count; link-- > 1;) {
		const struct chain_node *node = &levels->chains->node[link];
		const struct voter of_link = chain_node_voter(node);

		total[node->parent] += total[link];
		voter_add_weighed(&voter[levels->who_of_link[link]], &of_link, total[link]);
	}
	for (uint32_t link = 1; link < levels->chains->count; link++) {
		uint32_t level = levels->who_of_link[link];

		if (level && !is_named[level])
			level_name(levels, link, &voter[level], &plain, &label);
		is_named[level] = true;
	}
}

void chain_levels_show(struct chain_levels *levels, const struct tree *tree,
                       const struct output *to)
{
	struct tree whole = *tree;

	levels_name(levels);
	whole.chains_left_out = levels->chains_left_out;
	whole.total_left_out = levels->total_left_out;
	whole.has_evidence = levels->question->evidence != NULL;
	level_tree_show(&levels->tree, &whole,
	                &(struct level_knowledge){
				levels, link_cause,
				whole.has_evidence ? chain_evidence : NULL},
	                levels->question, to);
}
