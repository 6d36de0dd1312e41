/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "heaviest_chains.h"

#include <assert.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/format.h"
#include "link_names.h"
#include "prose.h"
#include "words/cause/cause_words.h"

struct heaviest {
	const struct question *question;
	const struct chain_tree *tree;
	struct link_names names;
	uint32_t node[3]; /* heaviest first */
	size_t count;
};

/* Chains that are less than the total divided by this are omitted. */
#define WORTH_PART 100

/* Chains count as equally long if their totals differ by at most the total divided by this. */
#define ALIKE_PART 10

/*
 * Whether two chains are one story. If A waits for B, B for C, and C for a disk, three chains tell
 * one story: each is the end of the chain before, and about as long. A task that waits for B only
 * now and then has a story of its own.
 */
static bool chain_continues(const struct chain_tree *tree, uint32_t chain, uint32_t end)
{
	nsec_t whole = tree->node[chain].total, part = tree->node[end].total;
	nsec_t apart = whole > part ? whole - part : part - whole;

	return apart <= part / ALIKE_PART && chain_ends_with(tree, chain, end);
}

/* Whether the chain is worth a sentence: what a task does by itself, or chooses to do, is no chain,
   and is reported elsewhere. */
static bool chain_is_worth_it(const struct chain_node *chain)
{
	const struct cause_note *note = chain->cause.note;

	if (chain->count == 0 || chain->parent != CHAIN_ROOT)
		return chain->count > 0;
	return chain->state == PART_STOPPED ||
	       (chain->state == PART_WAITING && note && !cause_note_is_sleep(note) &&
	        !cause_note_is_open(note));
}

static bool heaviest_has_shown(const struct heaviest *heaviest, uint32_t chain)
{
	for (size_t i = 0; i < heaviest->count; i++)
		if (chain_continues(heaviest->tree, heaviest->node[i], chain) ||
		    chain_continues(heaviest->tree, chain, heaviest->node[i]))
			return true;
	return false;
}

/* The heaviest chain that is not printed yet, extended to its first waiter; CHAIN_ROOT: there is
   none. */
static uint32_t heaviest_next(const struct heaviest *heaviest)
{
	const struct chain_tree *tree = heaviest->tree;
	uint32_t best = CHAIN_ROOT, whole;

	for (uint32_t node = 1; node < tree->count; node++)
		if (chain_is_worth_it(&tree->node[node]) &&
		    (best == CHAIN_ROOT || tree->node[node].total > tree->node[best].total) &&
		    !heaviest_has_shown(heaviest, node))
			best = node;
	whole = best;
	for (uint32_t node = 1; best != CHAIN_ROOT && node < tree->count; node++)
		if (tree->node[node].count && tree->node[node].depth > tree->node[whole].depth &&
		    chain_continues(tree, node, best))
			whole = node;
	return whole;
}

/* "fio", or "fio[12]" if other tasks have that name, too, and most of the time was this task's.
   Returns whether the name stands for several tasks. */
static bool node_name_append(const struct heaviest *heaviest, const struct chain_node *node,
                             struct buffer *to)
{
	const struct chain_node *waiter = &heaviest->tree->node[node->parent];
	const struct voter voter = chain_node_voter(node);

	return link_names_append(&heaviest->names, node->comm, &voter,
	                         /* is_own= */ node->parent != CHAIN_ROOT &&
	                                 waiter->comm == node->comm,
	                         to);
}

/* ", stopped by gdb": the task that continued it is not the reason for the stop. */
static void stop_describe(const struct chain_tree *tree, const struct chain_node *leaf,
                          struct buffer *to)
{
	struct cause cause = {.kind = CAUSE_UNKNOWN};

	if (leaf->cause.note)
		cause = chain_node_cause(tree, leaf);
	buffer_puts(to, ", stopped");
	if (!cause_has_stopper(&cause))
		return;
	buffer_puts(to, " by ");
	buffer_puts_clean(to, cause.originator.comm, strlen(cause.originator.comm));
}

/* " -> disk 254,0", ", sleeping on a timer": what the last task waits for, or how it waits. */
static void wait_describe(const struct chain_tree *tree, const struct chain_node *leaf,
                          struct buffer *to)
{
	struct cause cause = chain_node_cause(tree, leaf);

	if (cause_note_is_sleep(leaf->cause.note)) {
		buffer_puts(to, ", sleeping on a timer");
	} else if (cause.kind == CAUSE_UNKNOWN || cause.kind == CAUSE_FROZEN ||
	           cause_note_is_chosen(leaf->cause.note) || cause_is_held_back(&cause) ||
	           cause_is_late(&cause)) {
		buffer_puts(to, ", ");
		cause_text_append(to, &cause);
	} else {
		buffer_puts(to, " -> ");
		cause_name_append(to, &cause);
	}
}

/* What the last task of the chain did: " -> disk 254,0", ", running". */
static void leaf_describe(const struct heaviest *heaviest, const struct chain_node *leaf,
                          struct buffer *to)
{
	const struct chain_tree *tree = heaviest->tree;
	bool is_limited = leaf->cause.note && leaf->cause.note->kind == CAUSE_THROTTLED;
	struct cause cause;

	if (leaf->state == PART_STOPPED) {
		stop_describe(tree, leaf, to);
	} else if (leaf->state == PART_RUNNABLE && is_limited) {
		cause = chain_node_cause(tree, leaf);
		buffer_puts(to, ", ");
		cause_text_append(to, &cause);
	} else if (leaf->state == PART_RUNNABLE) {
		buffer_puts(to, ", in a run queue");
	} else if (leaf->state != PART_WAITING) {
		buffer_puts(to, ", ");
		buffer_puts(to, part_state_words((enum part_state)leaf->state));
	} else if (leaf->cause.note && !cause_note_is_open(leaf->cause.note)) {
		wait_describe(tree, leaf, to);
	} else {
		buffer_printf(to, ", %s", heaviest->question->resolved->open_words);
		if (leaf->cause.note && leaf->cause.note->purpose)
			buffer_printf(to, " (for %s)", purpose_words(leaf->cause.note->purpose));
	}
}

/* " (frozen)", " (lock)": the kind of the previous task's wait for this one, if the arrow alone
   does not show it. */
static void link_describe(const struct chain_tree *tree, const struct chain_node *node,
                          struct buffer *to)
{
	const struct cause_note *cause = tree->node[node->parent].cause.note;
	enum cause_kind kind = cause ? (enum cause_kind)cause->kind : CAUSE_TASK;

	if (kind == CAUSE_FROZEN || kind == CAUSE_LOCK || kind == CAUSE_SIGNAL)
		buffer_printf(to, " (%s)", cause_kind_name(kind));
}

/* "other pool tasks (lock)": the task of a link, and what the one before waits for. */
static void node_describe(const struct heaviest *heaviest, const struct chain_node *node,
                          struct buffer *to)
{
	(void)node_name_append(heaviest, node, to);
	if (node->parent != CHAIN_ROOT)
		link_describe(heaviest->tree, node, to);
}

/* Appends what links in a row have in common: "other pool tasks (lock) (3 in a row)". Returns how
   many of the `count` nodes these are. */
static size_t row_describe(const struct heaviest *heaviest, const uint32_t *way, size_t count,
                           struct buffer *to)
{
	const struct chain_node *node = heaviest->tree->node;
	_cleanup_(buffer_release) struct buffer first = {0}, next = {0};
	size_t alike = 1;

	buffer_init(&first, 4096);
	buffer_init(&next, 4096);
	node_describe(heaviest, &node[way[count - 1]], &first);
	for (; alike < count; alike++) {
		buffer_clear(&next);
		node_describe(heaviest, &node[way[count - 1 - alike]], &next);
		if (strcmp(first.text, next.text) != 0)
			break;
	}
	buffer_puts(to, first.text);
	if (alike > 1)
		buffer_printf(to, " (%zu in a row)", alike);
	return alike;
}

/* "1.200 s (62 %) fio -> jbd2/vda1-8 -> disk 254,0". */
static void chain_describe(const struct heaviest *heaviest, uint32_t index, nsec_t whole,
                           struct buffer *to)
{
	const struct chain_tree *tree = heaviest->tree;
	const struct chain_node *leaf = &tree->node[index];
	uint32_t way[CHAIN_DEPTH_MAX + 2];
	size_t count = 0;

	for (uint32_t node = index; node != CHAIN_ROOT; node = tree->node[node].parent) {
		assert(count < ARRAY_SIZE(way));
		way[count++] = node;
	}
	buffer_puts(to, DURATION_TEXT(leaf->total));
	/* what had not ended is not part of the whole */
	if (leaf->total <= whole)
		buffer_printf(to, " (%.0f %%)", 100.0 * (double)leaf->total / (double)whole);
	buffer_putc(to, ' ');
	while (count > 0) {
		count -= row_describe(heaviest, way, count, to);
		if (count > 0)
			buffer_puts(to, " -> ");
	}
	leaf_describe(heaviest, leaf, to);
}

bool heaviest_chain_append(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, struct buffer *to)
{
	struct heaviest heaviest = {.question = question, .tree = tree};
	uint32_t node;

	link_names_init(&heaviest.names, question->timeline);
	node = heaviest_next(&heaviest);
	if (node != CHAIN_ROOT && tree->node[node].total < whole / WORTH_PART)
		node = CHAIN_ROOT;
	if (node != CHAIN_ROOT)
		chain_describe(&heaviest, node, whole, to);
	link_names_release(&heaviest.names);
	return node != CHAIN_ROOT;
}

void heaviest_chains_print(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, const struct output *to)
{
	struct heaviest heaviest = {.question = question, .tree = tree};
	struct chain_tree folded;
	struct name_folds folds;
	struct buffer line;

	link_names_init(&heaviest.names, question->timeline);
	heaviest.names.folds = name_folds_of_tasks(&folds, to->presenter, question);
	if (heaviest.names.folds) {
		chain_tree_init(&folded, question->timeline, CHAIN_NODES_MAX);
		folded.folds = heaviest.names.folds;
		chain_tree_take_folded(&folded, tree);
		heaviest.tree = &folded;
	}
	buffer_init(&line, 4096);
	while (heaviest.count < ARRAY_SIZE(heaviest.node) && whole) {
		uint32_t node = heaviest_next(&heaviest);

		if (node == CHAIN_ROOT || heaviest.tree->node[node].total < whole / WORTH_PART)
			break;
		buffer_clear(&line);
		buffer_puts(&line, heaviest.count == 0 ? "Most: " : "      ");
		chain_describe(&heaviest, node, whole, &line);
		prose_put(to, line.text);
		heaviest.node[heaviest.count++] = node;
	}
	buffer_release(&line);
	if (heaviest.names.folds)
		chain_tree_release(&folded);
	name_folds_release(&folds);
	link_names_release(&heaviest.names);
}
