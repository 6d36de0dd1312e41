/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "chain_words.h"

#include <assert.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "graph/aims/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "sentences/prose.h"
#include "sentences/say.h"
#include "sentences/thresholds.h"
#include "words/cause/cause_words.h"

void link_names_init(struct link_names *names, const struct timeline *timeline)
{
	*names = (struct link_names){.timeline = timeline};
	map_init(&names->tasks);
	for (size_t i = 0; i < timeline->track_count; i++) {
		uint32_t name = track_name(&timeline->track[i]);
		uint32_t count = map_get(&names->tasks, name);

		map_put(&names->tasks, name, count == MAP_NONE ? 1 : count + 1);
	}
}

void link_names_release(struct link_names *names)
{
	map_release(&names->tasks);
}

const struct name_folds *name_folds_of_tasks(struct name_folds *folds,
                                             const struct presenter *presenter,
                                             const struct question *question)
{
	struct timeline *timeline = question->timeline;

	name_folds_init(folds, &timeline->names);
	if (!presenter->folds_names)
		return NULL;
	for (int is_asked = 1; is_asked >= 0; is_asked--)
		for (uint32_t track = 0; track < timeline->track_count; track++)
			if (question->resolved->is_asked[track] == is_asked)
				name_folds_add(folds, track_name(&timeline->track[track]),
				               is_asked);
	return name_folds_close(folds) ? folds : NULL;
}

static bool name_is_of_several(const struct link_names *names, uint32_t comm)
{
	uint32_t count = map_get(&names->tasks, comm);

	return count != MAP_NONE && count > 1;
}

bool link_name_is_of_many(const struct link_names *names, uint32_t comm)
{
	return name_is_folded(names->folds, comm) || name_is_of_several(names, comm);
}

/* The task's last name that belongs to the fold `comm`. */
static uint32_t name_of_member(const struct link_names *names, uint32_t track, uint32_t comm)
{
	const struct track *member = &names->timeline->track[track];

	if (!name_is_folded(names->folds, comm))
		return comm;
	for (uint32_t i = member->name_count; i-- > 0;)
		if (name_fold(names->folds, member->name[i].name) == comm)
			return member->name[i].name;
	return comm;
}

void link_others_append(const struct link_names *names, uint32_t comm, struct buffer *to)
{
	buffer_puts(to, "other ");
	prose_name_append(to, names->timeline, comm);
	buffer_puts(to, " tasks");
}

bool link_names_append(const struct link_names *names, uint32_t comm,
                       const struct voter *voter, bool is_own, struct buffer *to)
{
	uint32_t track = voter_task(voter);
	bool is_one = track != TRACK_NONE && link_name_is_of_many(names, comm), is_all;
	struct task task;
	uint32_t name;

	if (!is_one && is_own) {
		link_others_append(names, comm, to);
		return true;
	}
	if (!is_one) {
		prose_name_append(to, names->timeline, comm);
		return name_is_folded(names->folds, comm);
	}
	is_all = voter->own == voter->all;
	name = name_of_member(names, track, comm);
	task = timeline_task(names->timeline, track, NSEC_NEVER);
	if (track_name(&names->timeline->track[track]) != name) {
		task.comm = timeline_own_name(names->timeline, name);
		task.program = NULL;
	}
	say(to, names->timeline, "[{task}|{name}][{if} and others]",
	    WHEN(!is_all || name_is_of_several(names, name), TASK_OF(&task)), NAME(name),
	    IF(!is_all));
	return !is_all;
}

struct heaviest {
	const struct question *question;
	const struct chain_tree *tree;
	struct link_names names;
	uint32_t node[3]; /* heaviest first */
	size_t count;
};

/*
 * Whether two chains are one story. If A waits for B, B for C, and C for a disk, three chains tell
 * one story: each is the end of the chain before, and about as long. A task that waits for B only
 * now and then has a story of its own.
 */
static bool chain_continues(const struct chain_tree *tree, uint32_t chain, uint32_t end)
{
	nsec_t whole = tree->node[chain].total, part = tree->node[end].total;
	nsec_t apart = whole > part ? whole - part : part - whole;

	return apart <= part / DIVISOR_ALIKE && chain_ends_with(tree, chain, end);
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
   none of at least a hundredth of `all`. */
static uint32_t heaviest_next(const struct heaviest *heaviest, nsec_t all)
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
	return tree->node[whole].total < all / DIVISOR_CHAIN ? CHAIN_ROOT : whole;
}

/* What the last task of the chain did or waited for: " -> disk 254,0", ", sleeping on a timer",
   ", running". The task that continued a stopped one is not the reason for the stop. */
static void leaf_describe(const struct heaviest *heaviest, const struct chain_node *leaf,
                          struct buffer *to)
{
	const struct cause_note *note = leaf->cause.note;
	struct cause cause = {.kind = CAUSE_UNKNOWN};
	bool is_state;
	_cleanup_(buffer_release) struct buffer name = {0};

	if (note)
		cause = chain_node_cause(heaviest->tree, leaf);
	if (leaf->state == PART_STOPPED) {
		say(to, NULL, ", stopped[ by {foreign}]",
		    WHEN(cause_has_stopper(&cause), FOREIGN(cause.originator.comm)));
	} else if (leaf->state == PART_RUNNABLE) {
		say(to, NULL, ", [{cause}|in a run queue]",
		    WHEN(note && note->kind == CAUSE_THROTTLED, CAUSE(&cause)));
	} else if (leaf->state != PART_WAITING) {
		say(to, NULL, ", {text}", TEXT(part_state_words((enum part_state)leaf->state)));
	} else if (note && !cause_note_is_open(note)) {
		is_state = cause_is_state(note, &cause);
		if (!is_state)
			cause_name_append(&name, &cause);
		say(to, NULL, "[{if}, sleeping on a timer|, {cause}| -> {text}]",
		    IF(cause_note_is_sleep(note)), WHEN(is_state, CAUSE(&cause)),
		    TEXT(name.text));
	} else {
		say(to, NULL, ", {text}[ (for {text})]",
		    TEXT(heaviest->question->resolved->open_words),
		    WHEN(note, TEXT(purpose_words(note->purpose))));
	}
}

/* "fio", or "fio[12]" if other tasks have that name, too, and most of the time was this task's; and
   what the one before waits for, if the arrow alone does not show it: "other pool tasks (lock)". */
static void node_describe(const struct heaviest *heaviest, const struct chain_node *node,
                          struct buffer *to)
{
	const struct chain_node *waiter = &heaviest->tree->node[node->parent];
	const struct voter voter = chain_node_voter(node);
	const struct cause_note *cause = waiter->cause.note;
	enum cause_kind kind = cause ? (enum cause_kind)cause->kind : CAUSE_TASK;
	bool is_link = node->parent != CHAIN_ROOT;

	(void)link_names_append(&heaviest->names, node->comm, &voter,
	                        /* is_own= */ is_link && waiter->comm == node->comm, to);
	if (is_link && cause && kind == CAUSE_TASK &&
	    brief_aim_of_cause(heaviest->tree->timeline, TRACK_NONE, cause).kind == AIM_LOCK)
		kind = CAUSE_LOCK;
	if (is_link && (kind == CAUSE_FROZEN || kind == CAUSE_LOCK || kind == CAUSE_SIGNAL))
		buffer_printf(to, " (%s)", cause_kind_name(kind));
}

/* Appends what links in a row have in common: "other pool tasks (lock) (3 in a row)". Returns how
   many of the `count` nodes these are. */
static size_t row_describe(const struct heaviest *heaviest, const uint32_t *way, size_t count,
                           struct buffer *to)
{
	const struct chain_node *node = heaviest->tree->node;
	_cleanup_(buffer_release) struct buffer first = {0};
	size_t alike = 1;

	node_describe(heaviest, &node[way[count - 1]], &first);
	for (; alike < count; alike++) {
		_cleanup_(buffer_release) struct buffer next = {0};

		node_describe(heaviest, &node[way[count - 1 - alike]], &next);
		if (strcmp(first.text, next.text) != 0)
			break;
	}
	say(to, NULL, "{text}[ ({number} in a row)]", TEXT(first.text),
	    WHEN(alike > 1, NUMBER(alike)));
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
	/* what had not ended is not part of the whole */
	say(to, NULL, "{time}[ ({share})] ", TIME(leaf->total),
	    WHEN(leaf->total <= whole, SHARE((double)leaf->total / (double)whole)));
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
	node = heaviest_next(&heaviest, whole);
	if (node != CHAIN_ROOT)
		chain_describe(&heaviest, node, whole, to);
	link_names_release(&heaviest.names);
	return node != CHAIN_ROOT;
}

static struct fact chain_fact(const struct heaviest *heaviest, const struct chain_node *node)
{
	return FACT(FACT_CHAIN, .next = "--chains", .figure = FIGURE_TIME, .time = node->total,
	            .comm = intern_text(&heaviest->tree->timeline->names, node->comm),
	            .part = part_state_name((enum part_state)node->state),
	            .kind = node->cause.note && node->state == PART_WAITING
	                            ? cause_kind_name((enum cause_kind)node->cause.note->kind)
	                            : NULL);
}

void heaviest_chains_print(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, const struct output *to)
{
	struct heaviest heaviest = {.question = question, .tree = tree};
	struct chain_tree folded;
	struct name_folds folds;

	link_names_init(&heaviest.names, question->timeline);
	heaviest.names.folds = name_folds_of_tasks(&folds, to->presenter, question);
	if (heaviest.names.folds) {
		chain_tree_init(&folded, question->timeline, CHAIN_NODES_MAX);
		folded.folds = heaviest.names.folds;
		chain_tree_take_folded(&folded, tree);
		heaviest.tree = &folded;
	}
	while (heaviest.count < ARRAY_SIZE(heaviest.node) && whole) {
		_cleanup_(buffer_release) struct buffer line = {0};
		uint32_t node = heaviest_next(&heaviest, whole);
		struct fact fact;

		if (node == CHAIN_ROOT)
			break;
		buffer_puts(&line, heaviest.count == 0 ? "Most: " : "      ");
		chain_describe(&heaviest, node, whole, &line);
		fact = chain_fact(&heaviest, &heaviest.tree->node[node]);
		prose_put_fact(to, line.text, heaviest.count ? NULL : &fact);
		heaviest.node[heaviest.count++] = node;
	}
	if (heaviest.names.folds)
		chain_tree_release(&folded);
	name_folds_release(&folds);
	link_names_release(&heaviest.names);
}
