/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks that waited, the tasks they waited for, and so on: every wait of the asked tasks is
 * walked, and the walks are folded. The totals of the chains sum to the asked tasks' waiting time;
 * their stops are reported separately.
 */
#include <assert.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/evidence/node_evidence.h"
#include "analysis/paths/chain_words.h"
#include "analysis/paths/flame_path.h"
#include "analysis/tables/cost_kind.h"
#include "analysis/tables/relation.h"
#include "analysis/wait_list.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "chain_levels.h"
#include "graph/aims/aim.h"
#include "graph/walk/chain_tree.h"
#include "sentences/say.h"
#include "tally/tally.h"
#include "views/costs.h"
#include "words/cause/unknown_words.h"

/*
 * The stops of the asked tasks, folded by the names of the stopped task, the task that stopped it,
 * and the task that continued it. They are listed apart from the chains: a stop is no wait, so it
 * is in the total of a chain only if another task waited for the stopped task.
 */

struct stop_list {
	const struct question *question;
	struct tally stops;
	struct figures all;
};

/* All stops with the same names. */
struct stop {
	struct stop_key {
		uint32_t name;    /* name of the stopped task, id in the timeline's names */
		uint32_t stopper, waker; /* names of the tasks that stopped and continued it; 0:
		                            not known */
		uint8_t letter;
		bool is_open;     /* it was not continued in this trace */
		uint16_t none;    /* keys are compared as bytes */
	} key;
	struct figures figures;
	uint32_t longest_track; /* that of the longest stop */
};

static void stop_list_init(struct stop_list *list, const struct question *question)
{
	*list = (struct stop_list){.question = question};
	tally_init(&list->stops, sizeof(struct stop), sizeof(struct stop_key), TALLY_NO_LIMIT);
}

static void stop_list_release(struct stop_list *list)
{
	tally_release(&list->stops);
}

static uint32_t stop_track_name(const struct timeline *timeline, uint32_t track)
{
	return track == TRACK_NONE ? 0 : timeline_name_at(&timeline->track[track], NSEC_NEVER);
}

/* The names and the state of the stop. While a stop has not ended, its cause is
   the signal that began it. */
static struct stop_key stop_of(const struct timeline *timeline, const struct wait *wait)
{
	struct stop_key stop = {
		.name = stop_track_name(timeline, wait->track),
		.letter = wait->letter,
		.is_open = wait->is_open,
	};

	if (!wait->cause)
		return stop;
	if (wait->is_open) {
		stop.stopper = stop_track_name(timeline, wait->cause->waker);
	} else {
		stop.stopper = stop_track_name(timeline, wait->cause->originator);
		stop.waker = stop_track_name(timeline, wait->cause->waker);
	}
	return stop;
}

/* Returns false if the wait is not a stop. Otherwise counts its part in the window, if its kind is
   asked for. */
static bool stop_list_add(struct stop_list *list, const struct wait *wait)
{
	unsigned kind = wait->cause ? wait->cause->kind : CAUSE_UNKNOWN;
	nsec_t begin = wait->begin, end = wait->end;
	struct figures figures;
	struct stop_key key;
	struct stop *stop;

	if (!wait_is_stop(wait))
		return false;
	if (!(list->question->asked->kinds & 1u << kind) ||
	    !question_clip(list->question, &begin, &end) || begin == end)
		return true;
	key = stop_of(list->question->timeline, wait);
	figures = figures_of(begin, end);
	stop = tally_row(&list->stops, &key);
	if (figures.longest > stop->figures.longest)
		stop->longest_track = wait->track;
	figures_add(&stop->figures, &figures);
	figures_add(&list->all, &figures);
	return true;
}

static int stop_compare(const void *a, const void *b, void *state)
{
	const struct stop *x = a, *y = b;

	(void)state;
	return ORDER_BY(FALLING(x, y, figures.total), RISING(x, y, figures.longest_at),
	                RISING(x, y, key.name));
}

#define AT(member) RELATION_AT(struct stop, member)

enum {COLUMN_STATE = 1, COLUMN_STOPPED_BY = 3, COLUMN_CONTINUED_BY = 5};

static const struct field fields[] = {
	{"comm", "TASK", CELL_TEXT, COLUMN_TAILED, AT(key.name)},
	[COLUMN_STATE] = {"state", "ST", CELL_TEXT, COLUMN_SPARE(3), FILLED},
	{"stopped_by", NULL, CELL_TEXT, 0, AT(key.stopper)},
	[COLUMN_STOPPED_BY] = {NULL, "STOPPED BY", CELL_TEXT, COLUMN_POINT, AT(key.stopper)},
	{"continued_by", NULL, CELL_TEXT, 0, AT(key.waker)},
	[COLUMN_CONTINUED_BY] = {NULL, "CONTINUED BY", CELL_TEXT, COLUMN_USEFUL(1), AT(key.waker)},
	{"open", NULL, CELL_BOOL, 0, AT(key.is_open)},
	{"count", "COUNT", CELL_COUNT, COLUMN_SPARE(4), AT(figures.count)},
	{"total_ns", "TOTAL", CELL_DURATION, 0, AT(figures.total)},
	{"max_ns", "LONGEST", CELL_DURATION, COLUMN_SPARE(2), AT(figures.longest)},
	{"max_at_ns", "AT", CELL_INSTANT, COLUMN_SPARE(1), AT(figures.longest_at)},
};

static void stop_fill(const void *list, const void *of, struct cell *cell, struct buffer *text)
{
	const struct stop_key *key = &((const struct stop *)of)->key;

	(void)list;
	buffer_putc(&text[COLUMN_STATE], (char)key->letter);
	if (!key->stopper && key->letter == 't')
		cell[COLUMN_STOPPED_BY] = (struct cell){CELL_TEXT, .text = "(tracing)"};
	if (key->is_open)
		cell[COLUMN_CONTINUED_BY] = (struct cell){CELL_TEXT, .text = "(not continued)"};
}

static struct evidence_claim stop_claim(const void *list, const void *of)
{
	const struct stop *stop = of;

	(void)list;
	return evidence_claim_of(stop->longest_track, stop->figures.longest_at, false);
}

static const struct relation_form form = {
	"stops", NULL, FIELDS(fields),
	.next = "--summary --comm {glob:comm} --from {from:max_at_ns} --to {to:max_at_ns+max_ns}",
	.fill = stop_fill, .claim = stop_claim,
};

/* Prints a section of its own if there was a stop; else nothing. */
static void stop_list_report(struct stop_list *list, const struct output *to)
{
	if (list->all.count == 0)
		return;
	/* no row is looked up by its key any more */
	tally_sort(&list->stops, stop_compare, NULL);
	output_section_begin(to, "stops", "Stopped", /* is_list= */ true);
	say_to(to, NULL, "{time} in {count} stop{|s}{text}, in addition to the waiting.",
	       TIME(list->all.total), COUNT(list->all.count), TEXT(question_scope(list->question)));
	relation_put(&list->stops, &form, list, list->question, to);
	output_section_end(to);
}

/*
 * Names of whole chains that other recordings of the same work have, too: the names of the tasks,
 * without tids, and of what they waited for, as costs name it, from the waiter on.
 *
 *	svc <- worker/0 <- disk vda      svc <- worker/0 running      svc <- not ended
 */

struct chain_names {
	const struct chain_tree *tree;
	struct timeline *timeline;
	struct name_folds folds; /* only its map: names of workers of the kernel -> "kworker/..." */
	struct buffer text;
};

/* Bytes of a chain's name: a longer one is cut. */
#define NAME_BYTES_MAX 8192

/* The tree is borrowed, and takes the folds of these names: call before walks are added to it. */
static void chain_names_init(struct chain_names *names, struct chain_tree *tree,
                             struct timeline *timeline)
{
	*names = (struct chain_names){.tree = tree, .timeline = timeline};
	name_folds_init(&names->folds, &timeline->names);
	buffer_init(&names->text, NAME_BYTES_MAX);
	for (uint32_t track = 0; track < timeline->track_count; track++) {
		uint32_t name = track_name(&timeline->track[track]);
		uint32_t stable = cost_task(timeline, track);

		if (stable == name)
			continue;
		map_put(&names->folds.folds, name, stable);
		map_put(&names->folds.folds, stable, stable);
	}
	tree->folds = &names->folds;
}

static void chain_names_release(struct chain_names *names)
{
	name_folds_release(&names->folds);
	buffer_release(&names->text);
}

/* " <- disk vda" */
static void cause_append(struct chain_names *names, const struct cause_note *note)
{
	uint32_t name = cost_object(names->timeline, note);

	buffer_puts(&names->text, " <- ");
	cost_words_append(&names->text, COST_WAIT, cause_kind_name((enum cause_kind)note->kind),
	                  name ? intern_text(&names->timeline->names, name) : NULL, NULL);
}

static void link_append(struct chain_names *names, const struct chain_node *node, bool is_end)
{
	const char *comm = intern_text(&names->timeline->names, node->comm);
	const struct cause_note *note = node->cause.note;
	bool waits = node->state == PART_WAITING;

	if (names->text.length > 0)
		buffer_puts(&names->text, " <- ");
	buffer_puts_clean(&names->text, comm, strlen(comm));
	if (is_end && !waits) {
		part_state_append(&names->text, (enum part_state)node->state);
	}
	/* of a wait for another task, that task is the next link */
	if (note && (is_end || note->kind != CAUSE_TASK))
		cause_append(names, note);
	else if (is_end && waits)
		buffer_puts(&names->text, " <- " WORDS_STILL_WAITING);
}

/* The name of the chain that ends at the node, which is not the root; valid until the next call.
   Printable UTF-8. */
static const char *chain_name(struct chain_names *names, const struct chain_node *end)
{
	const struct chain_node *link[CHAIN_DEPTH_MAX + 2];
	const struct chain_node *node = end;
	size_t count = 0;

	for (; node != &names->tree->node[CHAIN_ROOT]; node = &names->tree->node[node->parent]) {
		assert(count < ARRAY_SIZE(link));
		link[count++] = node;
	}
	buffer_clear(&names->text);
	while (count-- > 0)
		link_append(names, link[count], count == 0);
	return names->text.text;
}

struct chains {
	const struct question *question;
	struct chain_tree tree;
	struct name_folds folds;
	struct stop_list stops;
	nsec_t total;
	uint64_t waits;
	/* by name of the waiting tasks, which are the outermost links of chains: figures of all
	   their waits */
	TALLY(waiters, struct figures, waiter, waiter_count);
	size_t visited; /* index of the waiter whose waits are walked now */
	struct relation_rows leaves; /* nodes of the tree at which asked chains end, in order */
};

static size_t chains_waiter(struct chains *chains, uint32_t name)
{
	const struct figures *waiter = tally_get(&chains->waiters, name);

	if (!waiter)
		waiter = tally_make(&chains->waiters, name,
		                    &(struct figures){.longest_at = NSEC_NEVER});
	return tally_number(&chains->waiters, waiter);
}

static void chains_on_wait(void *state, const struct wait *wait)
{
	struct chains *chains = state;
	struct figures figures;
	nsec_t begin, end;

	if (stop_list_add(&chains->stops, wait) ||
	    !wait_clip(chains->question, wait, &begin, &end))
		return;
	figures = figures_of(begin, end);
	chains->total += figures.total;
	chains->waits++;
	figures_add(&chains->waiter[chains->visited], &figures);
	chain_tree_add_wait(&chains->tree, wait->track, begin, end, wait->cause);
}

/* Whether whole waits are selected, with all of their chains: if all kinds are asked for, or only
   such that are no causes. */
static bool chains_are_of_waits(const struct asked *asked)
{
	return asked->kinds == KIND_MASK_ALL || asked->kinds == 0;
}

/* Walks all waits that may have chains of the asked kinds. */
static void chains_fill(struct chains *chains)
{
	struct asked asked = *chains->question->asked;
	struct question all_kinds = *chains->question;
	const struct timeline *timeline = all_kinds.timeline;

	if (!chains_are_of_waits(&asked))
		asked.kinds = KIND_MASK_ALL;
	all_kinds.asked = &asked;
	for (uint32_t track = 0; track < timeline->track_count; track++) {
		if (!all_kinds.resolved->is_asked[track])
			continue;
		chains->visited = chains_waiter(
			chains, name_fold(chains->tree.folds,
			                  track_name(&timeline->track[track])));
		wait_list_visit(&all_kinds, track, chains_on_wait, chains);
	}
	chain_tree_add_rest(&chains->tree);
}

/* What the waits of the link were for, as far as their cause shows it. */
static struct brief_aim node_aim(const struct chain_tree *tree, const struct chain_node *node)
{
	uint32_t track = node->voter.track;

	return brief_aim_of_cause(tree->timeline,
	                          track < tree->timeline->track_count ? track : TRACK_NONE,
	                          node->state == PART_WAITING ? node->cause.note : NULL);
}

/* Whether the chain that ends there is of a kind that is asked for: by what it ends with, or by
   what its first task waited for. */
static bool node_is_asked(const void *view, const void *row)
{
	const struct chains *chains = view;
	const struct chain_node *node = row;
	const struct asked *asked = chains->question->asked;
	const struct chain_node *first = node;

	if (node->count == 0)
		return false;
	if (chains_are_of_waits(asked) ||
	    (node->state == PART_WAITING &&
	     cause_is_of_kinds(node->cause.note, asked->kinds)))
		return true;
	while (first->parent != CHAIN_ROOT)
		first = &chains->tree.node[first->parent];
	return asked->aims & 1u << node_aim(&chains->tree, first).kind;
}

static const char *const sort_keys[] = {"total", "count", "max", NULL};

#define NODE_AT(member) RELATION_AT(struct chain_node, member)

static const struct measure by_key[] = {{NODE_AT(total)}, {NODE_AT(count)}, {NODE_AT(max)}};
_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(sort_keys), "a figure for each key");

static const struct relation_form leaf_form = {
	.sort_keys = sort_keys, .by_key = by_key, .order = {{NODE_AT(total)}},
	.is_shown = node_is_asked,
};

/* The waiter of the chain that ends at the node; NULL: there are many. */
static const struct figures *chains_waiter_of(struct chains *chains,
                                              const struct chain_node *node)
{
	while (node->parent != CHAIN_ROOT)
		node = &chains->tree.node[node->parent];
	if (node->comm == chains->tree.many_name)
		return NULL;
	return &chains->waiter[chains_waiter(chains, node->comm)];
}

static const char *name_or_null(const struct timeline *timeline, uint32_t name)
{
	return name ? intern_text(&timeline->names, name) : NULL;
}

static const char *end_words(const struct chains *chains, const struct chain_node *node)
{
	return node->state == PART_WAITING ? chains->question->resolved->open_words
	                                   : part_state_words((enum part_state)node->state);
}

/* The links of the chain that ends at the node; the caller provides them and their causes. */
static size_t chain_links(const struct chains *chains, const struct chain_node *leaf,
                          struct chain_link *link, struct cause *cause)
{
	const struct chain_tree *tree = &chains->tree;
	const struct timeline *timeline = chains->question->timeline;
	const struct chain_node *node = leaf;

	for (size_t i = leaf->depth; i-- > 0; node = &tree->node[node->parent]) {
		link[i] = (struct chain_link){
			.comm = intern_text(&timeline->names, node->comm),
			.state = part_state_name((enum part_state)node->state),
			.cause = node->cause.note ? &cause[i] : NULL,
			.aim = node_aim(tree, node),
			.end_words = end_words(chains, node),
			.stack = name_or_null(timeline, node->stacks.frames),
			.user_stack = name_or_null(timeline, node->stacks.user),
			.waker_stack = name_or_null(timeline, node->stacks.waker),
		};
		if (node->cause.note)
			cause[i] = chain_node_cause(tree, node);
	}
	return leaf->depth;
}

static struct figures node_figures(const struct chain_node *node)
{
	return (struct figures){node->total, node->count, node->max, node->max_at};
}

static const struct tree shown_tree = {
	.key = "chains",
	.title = "WHO WAITED, FOR WHOM, FOR WHAT",
};

static void chains_show_list(const struct chains *chains, const struct output *to)
{
	struct chain_link link[CHAIN_DEPTH_MAX + 2];
	struct cause cause[CHAIN_DEPTH_MAX + 2];
	const struct timeline *timeline = chains->question->timeline;
	bool has_stacks = chains->tree.has_stacks &&
	                  (timeline->place_count || timeline->sample_count);
	struct evidence *evidence = chains->question->evidence;
	struct tree tree = shown_tree;
	_cleanup_(buffer_release) struct buffer next = {0};

	tree.has_evidence = evidence != NULL;
	output_tree_begin(to, &tree);
	for (size_t i = 0; i < chains->leaves.count; i++) {
		const struct chain_node *leaf = chains->leaves.row[i];
		size_t count = chain_links(chains, leaf, link, cause);

		struct tree_chain chain = {
			.links = {link, count, has_stacks},
			.figures = node_figures(leaf),
		};

		buffer_clear(&next);
		waits_link_append(&next, count ? link[0].comm : NULL, &chain.figures,
		                  chains->question);
		chain.next = next.text;
		if (evidence)
			chain.evidence = evidence_of(
				evidence, node_claim(chains->question, &chains->tree, leaf));
		output_tree_chain(to, &chain);
	}
	output_tree_end(to);
}

/* Adds a task, the stack of its sleep, and, in reverse, the stack in which the next task woke
   it. */
static void path_add_link(struct flame_path *path, const struct chain_link *link, bool is_last)
{
	flame_path_add(path, SHOWN_TASK, link->comm);
	if (link->user_stack)
		stack_path_outward(path, SHOWN_USER, link->user_stack);
	if (link->stack)
		stack_path_outward(path, SHOWN_KERNEL, link->stack);
	if (is_last || !link->waker_stack)
		return;
	flame_path_add(path, SHOWN_MARK, "--");
	stack_path_inward(path, SHOWN_KERNEL, link->waker_stack);
}

static void chains_show_paths(const struct chains *chains, const struct output *to)
{
	struct chain_link link[CHAIN_DEPTH_MAX + 2];
	struct cause cause[CHAIN_DEPTH_MAX + 2];
	struct flame_path path;

	flame_path_init(&path);
	output_paths_begin(to, "Chains: who waited, for whom, for what");
	for (size_t i = 0; i < chains->leaves.count; i++) {
		const struct chain_node *leaf = chains->leaves.row[i];
		size_t count = chain_links(chains, leaf, link, cause);
		struct figures figures = node_figures(leaf);

		flame_path_clear(&path);
		for (size_t at = 0; at < count; at++)
			path_add_link(&path, &link[at], at + 1 == count);
		flame_path_add_end(&path, &link[count - 1]);
		flame_path_show(&path, &figures, to);
	}
	output_paths_end(to);
	flame_path_release(&path);
}

/* If only some kinds are asked for, the figures of the outermost waiters contain only these. */
static void chains_show_tree(struct chains *chains, const struct output *to)
{
	const struct question *question = chains->question;
	bool is_all = question->asked->kinds == KIND_MASK_ALL;
	struct chain_levels levels;

	chain_levels_init(&levels, &chains->tree, question);
	for (size_t i = 0; i < chains->leaves.count; i++) {
		const struct chain_node *leaf = chains->leaves.row[i];

		chain_levels_add(&levels, (uint32_t)(leaf - chains->tree.node),
		                 is_all ? chains_waiter_of(chains, leaf) : NULL);
	}
	chain_levels_show(&levels, &shown_tree, to);
	chain_levels_release(&levels);
}

/* `shown`: the time of the chains of the asked kinds. */
static void chains_print(const struct chains *chains, nsec_t shown, const struct output *to)
{
	if (chains->waits == 0)
		prose_put(to, "Nothing waited.");
	else
		say_to(to, NULL,
		       "[{time} for the asked kinds, of ]{time} of waiting in {count} "
		       "wait{|s}{text}. [{if}Above|Below] each: what it waited for.",
		       WHEN(chains->question->asked->kinds != KIND_MASK_ALL, TIME(shown)),
		       TIME(chains->total), COUNT(chains->waits),
		       TEXT(question_scope(chains->question)), IF(to->presenter->is_of_paths));
}

static void chains_note(struct chains *chains)
{
	struct health *health = chains->question->health;

	health->inconsistencies += chains->tree.result.cycles;
	health->depth_truncations += chains->tree.result.truncations;
	for (size_t i = 0; i < ARRAY_SIZE(health->parts_by_confidence); i++)
		health->parts_by_confidence[i] += chains->tree.parts_by_confidence[i];
	chain_tree_note(&chains->tree, health);
}

static void chains_release(struct chains *chains)
{
	chain_tree_release(&chains->tree);
	name_folds_release(&chains->folds);
	stop_list_release(&chains->stops);
	tally_release(&chains->waiters);
	relation_rows_release(&chains->leaves);
}

/* Returns the time of the chains of the asked kinds. */
static nsec_t chains_sort(struct chains *chains)
{
	const struct chain_tree *tree = &chains->tree;
	const struct tally nodes =
		relation_of(&tree->node[CHAIN_ROOT + 1], sizeof(*tree->node), tree->count - 1);
	nsec_t shown = 0;

	chains->leaves = relation_choose(&nodes, &leaf_form, chains, chains->question);
	for (size_t i = 0; i < chains->leaves.count; i++)
		shown += ((const struct chain_node *)chains->leaves.row[i])->total;
	return shown;
}

static void chains_report(const void *state, const struct output *to)
{
	const struct question *question = state;
	struct chains chains = {.question = question};
	nsec_t shown;

	tally_init(&chains.waiters, sizeof(struct figures), sizeof(struct figures), TALLY_NO_LIMIT);
	stop_list_init(&chains.stops, chains.question);
	chain_tree_init(&chains.tree, chains.question->timeline, CHAIN_NODES_MAX);
	walk_sample_share(&chains.tree.sample, question->walking_views);
	chains.tree.has_stacks = to->presenter->has_stacks && !question->asked->ignores_stacks;
	chains.tree.folds = name_folds_of_tasks(&chains.folds, to->presenter, question);
	chains_fill(&chains);
	chain_tree_divide(&chains.tree);
	chains_note(&chains);
	shown = chains_sort(&chains);
	output_section_begin(to, "chains", "Chains", /* is_list= */ true);
	chains_print(&chains, shown, to);
	question_print_memory(question, to);
	if (to->presenter->paths)
		chains_show_paths(&chains, to);
	if (output_shows_nodes(to))
		chains_show_tree(&chains, to);
	else if (output_shows_chains(to))
		chains_show_list(&chains, to);
	output_section_end(to);
	stop_list_report(&chains.stops, to);
	chains_release(&chains);
}

void chains_each(const void *view, cost_taker *take, void *state)
{
	const struct question *question = view;
	struct chains chains = {.question = question};
	struct cost_sum rest = {.kind = COST_WAIT};
	struct chain_names names;

	tally_init(&chains.waiters, sizeof(struct figures), sizeof(struct figures), TALLY_NO_LIMIT);
	stop_list_init(&chains.stops, question);
	chain_tree_init(&chains.tree, question->timeline, CHAIN_NODES_MAX);
	chain_names_init(&names, &chains.tree, question->timeline);
	chains_fill(&chains);
	(void)chains_sort(&chains);
	for (size_t i = 0; i < chains.leaves.count; i++) {
		const struct chain_node *leaf = chains.leaves.row[i];
		const struct cost_sum sum = {
			.kind = COST_WAIT,
			.what = i < CHAINS_PASSED_MAX ? chain_name(&names, leaf) : NULL,
			.count = leaf->count,
			.total = leaf->total,
		};

		if (sum.what) {
			take(state, &sum);
		} else {
			rest.count += sum.count;
			rest.total += sum.total;
		}
	}
	if (rest.count)
		take(state, &rest);
	chain_names_release(&names);
	chains_release(&chains);
}

const struct analysis chains_analysis = {
	.name = "chains",
	.about = "who waited for whom, and so on",
	.sort_keys = sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_AIMS | HEEDS_CPUS | HEEDS_MIN | HEEDS_WALKS |
	         HEEDS_FOLD | HEEDS_STACKS,
	.has_paths = true,
	.is_tree = true,
	.needs_history = true,
	.walks_waits = true,
	.report = chains_report,
};
