/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Both sides of a sleep: where tasks slept, and what their wakers were doing. Text shows a tree:
 * the task, where it slept, what woke it; --by function and --by kind change the order.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "analysis/paths/chain_words.h"
#include "analysis/paths/flame_path.h"
#include "analysis/recorded.h"
#include "analysis/tables/cells.h"
#include "analysis/tables/level_tree.h"
#include "analysis/tables/relation.h"
#include "analysis/wait_list.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/order.h"
#include "graph/aims/aim.h"
#include "graph/logs/task_names.h"
#include "graph/timeline/shared_cause.h"
#include "graph/timeline/timeline_tasks.h"
#include "graph/walk/voter.h"
#include "sentences/say.h"
#include "tally/tally.h"
#include "words/cause/aim_kind.h"
#include "words/cause/cause_words.h"
#include "words/cause/purpose.h"

/* Number of functions of a stack that one line of text shows. */
#define FRAMES_SHOWN 6
/* Maximal depth of the tree. */
#define LEVELS_OF_GROUP 4

/* The waits that have both ends in common: the sleeper's name and stack, and the waker's name, or
   the cause, and its stack. About 170 bytes a group. */
struct off_cpu_group {
	uint32_t comm;                   /* name id of the sleeper; if the name is folded, the id
	                                    of the fold */
	struct wait_stacks stacks;
	uint8_t purpose;                 /* enum purpose of sleeps with this stack */
	uint32_t waker;                  /* name id of the waker, like comm; 0: no task, or not
	                                    known */
	struct voter sleepers, wakers;   /* votes for the tasks that have these names */
	bool is_open;                    /* the wait has not ended when the trace does */
	bool is_from_begin;              /* without a stack, as the task was asleep when the
	                                    trace began */
	struct shared_cause cause;
	struct aim_key aim;              /* of all of them */
	struct figures figures;
};

struct off_cpu_groups {
	const struct question *question;
	const struct name_folds *folds; /* names that are shown as one; NULL: no names are folded */
	/* in the asked order after off_cpu_groups_fill() */
	TALLY(tally, struct off_cpu_group, group, count);
	size_t sort_key;
	struct figures all;
	nsec_t for_work; /* the part of `all` that was for work */
	uint64_t without_stack; /* number of waits */
	struct aim_cache aims;
};

/* The names for --sort; sort_key is an index. */
extern const char *const off_cpu_sort_keys[];

const char *const off_cpu_sort_keys[] = {"total", "count", "max", NULL};

static bool group_is_like(const void *row, const void *wanted)
{
	const struct off_cpu_group *a = row, *b = wanted;

	return a->comm == b->comm && a->waker == b->waker && a->is_open == b->is_open &&
	       a->is_from_begin == b->is_from_begin && stacks_are_same(&a->stacks, &b->stacks) &&
	       memcmp(&a->aim, &b->aim, sizeof(a->aim)) == 0 &&
	       cause_notes_are_shared(a->cause.note, b->cause.note);
}

static uint64_t group_hash(const struct off_cpu_group *group)
{
	const struct wait_stacks *stacks = &group->stacks;
	uint64_t hash = hash_mix((uint64_t)group->comm << 32 | stacks->frames,
	                         (uint64_t)group->waker << 32 | stacks->waker);

	hash = hash_mix(hash, (uint64_t)group->aim.kind << 32 | group->aim.name);
	return shared_cause_hash(group->cause.note, hash_mix(hash, stacks->user));
}

static uint32_t off_cpu_track_name(const struct off_cpu_groups *groups, uint32_t track, nsec_t time)
{
	const struct timeline *timeline = groups->question->timeline;

	if (track == TRACK_NONE)
		return 0;
	return name_fold(groups->folds, timeline_name_at(&timeline->track[track], time));
}

static void groups_add(void *state, const struct wait *wait)
{
	struct off_cpu_groups *groups = state;
	const struct question *question = groups->question;
	struct timeline *timeline = question->timeline;
	const struct cause_note *cause = wait->cause;
	const bool has_stacks = !question->asked->ignores_stacks;
	struct wait_stacks stacks = place_stacks(has_stacks ? &wait->place : NULL);
	struct off_cpu_group wanted = {
		.comm = off_cpu_track_name(groups, wait->track, wait->begin),
		.stacks = stacks,
		.purpose = has_stacks ? wait->place.purpose : 0,
		.cause = shared_cause_of(cause),
		.figures = {.longest_at = NSEC_NEVER},
	};
	struct off_cpu_group *group;
	struct figures figures;
	nsec_t begin, end;

	if (!wait_clip(question, wait, &begin, &end))
		return;
	wanted.aim = aim_key_cached(timeline, wait->track, wait->segment, &groups->aims);
	wanted.is_from_begin =
		stacks.frames == 0 &&
		wait->begin == timeline_begin_of(timeline, &timeline->track[wait->track]);
	wanted.is_open = wait->is_open;
	if (wanted.is_open)
		wanted.stacks.waker = 0;
	else if (cause)
		wanted.waker = off_cpu_track_name(groups, cause->waker, wait->end);
	figures = figures_of(begin, end);
	group = tally_row_of(&groups->tally, group_hash(&wanted), &wanted, group_is_like);
	shared_cause_add(&group->cause, cause);
	figures_add(&group->figures, &figures);
	voter_vote(&group->sleepers, wait->track, figures.total);
	if (cause && group->waker)
		voter_vote(&group->wakers, cause->waker, figures.total);
	figures_add(&groups->all, &figures);
	groups->for_work += wait_is_for_work(timeline, wait) ? figures.total : 0;
	groups->without_stack += stacks.frames == 0;
}

static uint64_t group_key(const struct off_cpu_group *group, size_t key)
{
	const uint64_t by_key[] = {group->figures.total, group->figures.count,
	                           group->figures.longest};

	_Static_assert(ARRAY_SIZE(by_key) + 1 == ARRAY_SIZE(off_cpu_sort_keys),
	               "a figure for each key");
	return by_key[key];
}

/* Equal groups stay in order of appearance. */
static int off_cpu_group_compare(const void *a, const void *b, void *state)
{
	const struct off_cpu_groups *groups = state;
	const struct off_cpu_group *x = a, *y = b;
	uint64_t left = group_key(x, groups->sort_key), right = group_key(y, groups->sort_key);

	if (left != right)
		return left > right ? -1 : 1;
	return ORDER_BY(FALLING(x, y, figures.total), RISING(x, y, figures.longest_at),
	                RISING(x, y, comm));
}

/* Gathers all waits and sorts the groups. */
static void off_cpu_groups_fill(struct off_cpu_groups *groups, const struct question *question,
                                const struct name_folds *folds)
{
	*groups = (struct off_cpu_groups){
		.question = question,
		.folds = folds,
		.sort_key = question_sort_key(question, off_cpu_sort_keys),
		.all = {.longest_at = NSEC_NEVER},
	};
	tally_init(&groups->tally, sizeof(*groups->group), sizeof(*groups->group), TALLY_NO_LIMIT);
	ASKED_EACH(question, track)
		wait_list_visit(question, track, groups_add, groups);
	tally_sort(&groups->tally, off_cpu_group_compare, groups);
}

static struct cause group_cause(const struct off_cpu_groups *groups,
                                const struct off_cpu_group *group)
{
	if (group->cause.note)
		return shared_cause_result(groups->question->timeline, &group->cause);
	return (struct cause){.kind = CAUSE_UNKNOWN, .origin = NSEC_NEVER};
}

#define AT(member) RELATION_AT(struct off_cpu_group, member)

enum {COLUMN_CAUSE = 5, COLUMN_AIM};

static const struct field fields[] = {
	{"comm", "COMM", CELL_TEXT, 0, AT(comm)},
	{"stack", "ASLEEP IN", CELL_FRAMES, 0, AT(stacks.frames)},
	{"user_stack", "CALLED FROM", CELL_FRAMES, 0, AT(stacks.user)},
	{"waker", "WAKER", CELL_TEXT, 0, AT(waker)},
	{"waker_stack", "WOKEN IN", CELL_FRAMES, 0, AT(stacks.waker)},
	[COLUMN_CAUSE] = {"cause", "CAUSE", CELL_CAUSE, 0, FILLED},
	[COLUMN_AIM] = {"aim", "FOR", CELL_BRIEF_AIM, 0, FILLED},
	{"open", "OPEN", CELL_BOOL, 0, AT(is_open)},
	{"count", "COUNT", CELL_COUNT, 0, AT(figures.count)},
	{"total_ns", "TOTAL", CELL_DURATION, 0, AT(figures.total)},
	{"max_ns", "LONGEST", CELL_DURATION, 0, AT(figures.longest)},
	{"max_at_ns", "AT", CELL_INSTANT, 0, AT(figures.longest_at)},
};

/* The groups while they are shown. */
struct shown_groups {
	const struct off_cpu_groups *groups;
	struct cause *cause; /* of the row that is filled in */
};

static void group_fill(const void *view, const void *of, struct cell *cell, struct buffer *text)
{
	const struct shown_groups *shown = view;
	const struct off_cpu_group *group = of;

	(void)text;
	*shown->cause = group_cause(shown->groups, group);
	cell[COLUMN_CAUSE].cause = shown->cause;
	cell[COLUMN_AIM] = cell_of_brief_aim(
		brief_aim_of_key(shown->groups->question->timeline, &group->aim));
}

static const struct relation_form form = {
	"off_cpu", NULL, FIELDS(fields),
	.next = "--waits --sort wait --comm {glob:comm}[ --kind {cause}]",
	.fill = group_fill,
};

static void groups_show_rows(const struct off_cpu_groups *groups, const struct output *to)
{
	struct tally rows = relation_of(groups->group, sizeof(*groups->group), groups->count);
	struct cause cause;

	relation_put(&rows, &form, &(struct shown_groups){groups, &cause}, groups->question, to);
}

/* Adds the end of a wait as the last frame: the waker or the cause. */
static void path_add_end(struct flame_path *path, const struct off_cpu_groups *groups,
                         const struct off_cpu_group *group)
{
	struct cause cause = group_cause(groups, group);

	if (group->waker)
		flame_path_add(path, SHOWN_TASK,
		               intern_text(&groups->question->timeline->names, group->waker));
	else if (group->is_open && cause.kind == CAUSE_UNKNOWN)
		flame_path_add_end(path, &(struct chain_link){
						 .state = "waiting",
						 .end_words = groups->question->resolved->open_words,
					 });
	else
		flame_path_add_end(path, &(struct chain_link){.state = "waiting", .cause = &cause});
}

/* In the order of bcc's offwaketime: the sleeper's stack from its root on, then the waker's stack,
   reversed. */
static void groups_show_paths(const struct off_cpu_groups *groups, const struct output *to)
{
	const struct intern *names = &groups->question->timeline->names;
	struct flame_path path;

	flame_path_init(&path);
	output_paths_begin(to, "Off-CPU: who slept where, and what woke them");
	EACH_OF(groups->group, groups->count, const struct off_cpu_group, group) {
		flame_path_clear(&path);
		flame_path_add(&path, SHOWN_TASK, intern_text(names, group->comm));
		stack_path_outward(&path, SHOWN_USER, intern_text(names, group->stacks.user));
		stack_path_outward(&path, SHOWN_KERNEL, intern_text(names, group->stacks.frames));
		flame_path_add(&path, SHOWN_MARK, "--");
		stack_path_inward(&path, SHOWN_KERNEL, intern_text(names, group->stacks.waker));
		path_add_end(&path, groups, group);
		flame_path_show(&path, &group->figures, to);
	}
	output_paths_end(to);
	flame_path_release(&path);
}

/* "futex_wait < do_futex (for a lock)" */
static void where_append(struct buffer *to, const struct off_cpu_group *group, const char *where)
{
	say(to, NULL, "[{text}|{if}(asleep when the trace began)|(no stack)][ (for {text})]",
	    TEXT(where), IF(group->is_from_begin),
	    WHEN(group->purpose, TEXT(purpose_words(group->purpose))));
}

static void place_append(struct buffer *to, const struct intern *names,
                         const struct off_cpu_group *group)
{
	_cleanup_(buffer_release) struct buffer stack = {0};

	stack_text_append_both(&stack, intern_text(names, group->stacks.frames),
	                       intern_text(names, group->stacks.user), FRAMES_SHOWN);
	where_append(to, group, stack.text);
}

static void function_append(struct buffer *to, const struct intern *names,
                            const struct off_cpu_group *group)
{
	const char *frames = intern_text(names, group->stacks.frames);
	size_t length;
	const char *function = stack_main_function(frames, &length);
	_cleanup_(buffer_release) struct buffer name = {0};

	buffer_puts_clean(&name, function, length);
	where_append(to, group, name.text);
}

/* For naming a task if several tasks have its name. */
struct task_naming {
	const struct link_names *names;
	const struct voter *voter;
};

/* `naming` NULL: appends only the name. */
static void task_append(struct buffer *to, const struct intern *names, uint32_t comm, bool is_own,
                        const struct task_naming *naming)
{
	const char *name = intern_text(names, comm);

	if (naming)
		(void)link_names_append(naming->names, comm, naming->voter, is_own, to);
	else
		buffer_puts_clean(to, name, strlen(name));
}

/* "woken by holder in futex_wake < do_futex", "disk 254,0 in end_bio < blk_update_request". */
static void end_append(struct buffer *to, const struct off_cpu_groups *groups,
                       const struct off_cpu_group *group, const struct task_naming *naming)
{
	const struct timeline *timeline = groups->question->timeline;
	struct cause cause = group_cause(groups, group);
	struct brief_aim aim = brief_aim_of_key(timeline, &group->aim);
	bool is_known = cause.kind != CAUSE_UNKNOWN;
	_cleanup_(buffer_release) struct buffer waker = {0}, beside = {0}, stack = {0};

	cause.purpose = NULL; /* the place already shows the purpose */
	if (group->waker && cause.kind == CAUSE_TASK)
		task_append(&waker, &timeline->names, group->waker,
		            /* is_own= */ group->waker == group->comm, naming);
	if (!group->purpose)
		aim_beside_append(&beside, &aim, cause.kind);
	stack_text_append(&stack, intern_text(&timeline->names, group->stacks.waker), FRAMES_SHOWN);
	say(to, timeline, "[{text}[{if}: ]][woken by {text}|{cause}]{text}[ in {text}]",
	    WHEN(group->is_open, TEXT(groups->question->resolved->open_words)), IF(is_known),
	    TEXT(waker.text), WHEN(!group->is_open || is_known, CAUSE(&cause)),
	    TEXT(beside.text), TEXT(stack.text));
}

enum level_kind {
	LEVEL_OF_COMM,
	LEVEL_OF_KIND,
	LEVEL_OF_FUNCTION,
	LEVEL_OF_PLACE,
	LEVEL_OF_END,
	LEVEL_NONE,
};

static const enum level_kind levels_by[][LEVELS_OF_GROUP] = {
	[BY_NOTHING] = {LEVEL_OF_COMM, LEVEL_OF_PLACE, LEVEL_OF_END, LEVEL_NONE},
	[BY_COMM] = {LEVEL_OF_COMM, LEVEL_OF_PLACE, LEVEL_OF_END, LEVEL_NONE},
	[BY_KIND] = {LEVEL_OF_KIND, LEVEL_OF_COMM, LEVEL_OF_PLACE, LEVEL_OF_END},
	[BY_FUNCTION] = {LEVEL_OF_FUNCTION, LEVEL_OF_COMM, LEVEL_OF_END, LEVEL_NONE},
};

static const char *const tree_titles[] = {
	[BY_NOTHING] = "WHO SLEPT, WHERE, AND WHAT WOKE THEM",
	[BY_COMM] = "WHO SLEPT, WHERE, AND WHAT WOKE THEM",
	[BY_KIND] = "FOR WHAT, WHO SLEPT, WHERE, AND WHAT WOKE THEM",
	[BY_FUNCTION] = "WHERE, WHO SLEPT THERE, AND WHAT WOKE THEM",
};

static void level_label(struct buffer *to, const struct off_cpu_groups *groups,
                        const struct off_cpu_group *group, enum level_kind kind,
                        const struct task_naming *naming)
{
	const struct intern *names = &groups->question->timeline->names;

	switch (kind) {
	case LEVEL_OF_COMM:
		task_append(to, names, group->comm, /* is_own= */ false, naming);
		break;
	case LEVEL_OF_KIND:
		buffer_puts(to, cause_kind_name(group->cause.note
		                                        ? (enum cause_kind)group->cause.note->kind
		                                        : CAUSE_UNKNOWN));
		break;
	case LEVEL_OF_FUNCTION:
		function_append(to, names, group);
		break;
	case LEVEL_OF_PLACE:
		place_append(to, names, group);
		break;
	case LEVEL_OF_END:
		end_append(to, groups, group, naming);
		break;
	case LEVEL_NONE:
		break;
	}
}

/* A tag is the index + 1 of the group whose cause the label describes. */
static bool group_level_cause(const void *state, uint32_t tag, struct cause *ret)
{
	const struct off_cpu_groups *groups = state;

	if (tag == 0)
		return false;
	*ret = group_cause(groups, &groups->group[tag - 1]);
	return true;
}

static bool groups_have_stacks(const struct off_cpu_groups *groups)
{
	return groups->question->timeline->place_count && !groups->question->asked->ignores_stacks;
}

/* Without recorded stacks there are no levels for places and functions. */
static bool level_is_shown(const struct off_cpu_groups *groups, enum level_kind kind)
{
	return groups_have_stacks(groups) ||
	       (kind != LEVEL_OF_PLACE && kind != LEVEL_OF_FUNCTION);
}

/* The tree, and for each level a group that it was made from. */
struct off_cpu_tree {
	const struct off_cpu_groups *groups;
	struct level_tree tree;
	struct named_level {
		uint32_t group; /* index of any of its groups */
		enum level_kind kind;
		struct voter voter; /* votes for the task that its label names */
	} *named;
	size_t named_count, named_capacity;
};

static uint32_t tree_below(struct off_cpu_tree *tree, uint32_t at, uint32_t index,
                           enum level_kind kind, struct buffer *label)
{
	const struct off_cpu_group *group = &tree->groups->group[index];

	level_label(label, tree->groups, group, kind, NULL);
	at = level_tree_below(&tree->tree, at, label, kind == LEVEL_OF_END ? index + 1 : 0);
	while (tree->named_count <= at) {
		ARRAY_GROW(tree->named, tree->named_count, tree->named_capacity);
		tree->named[tree->named_count++] = (struct named_level){index, kind, {0}};
	}
	if (kind == LEVEL_OF_COMM)
		tree->tree.level[at].comm =
			intern_text(&tree->groups->question->timeline->names, group->comm);
	voter_add(&tree->named[at].voter,
	          kind == LEVEL_OF_END ? &group->wakers : &group->sleepers);
	return at;
}

/* Levels are identified by names alone; here their labels get the task that has most of the
   time. */
static void tree_name(struct off_cpu_tree *tree, struct buffer *label)
{
	struct link_names names;

	link_names_init(&names, tree->groups->question->timeline);
	names.folds = tree->groups->folds;
	for (uint32_t at = 1; at < tree->named_count; at++) {
		const struct named_level *named = &tree->named[at];
		const struct task_naming naming = {&names, &named->voter};

		if (named->kind != LEVEL_OF_COMM && named->kind != LEVEL_OF_END)
			continue;
		level_label(label, tree->groups, &tree->groups->group[named->group], named->kind,
		            &naming);
		level_tree_name(&tree->tree, at, label);
	}
	link_names_release(&names);
}

static void groups_show_tree(const struct off_cpu_groups *groups, const struct output *to)
{
	const enum level_kind *kinds = levels_by[groups->question->asked->lengths.by];
	struct tree shown = {.title = tree_titles[groups->question->asked->lengths.by]};
	_cleanup_(buffer_release) struct buffer label = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct off_cpu_tree tree = {.groups = groups};

	level_tree_init(&tree.tree);
	for (uint32_t i = 0; i < groups->count; i++) {
		const struct off_cpu_group *group = &groups->group[i];
		uint32_t at = 0;

		if (!level_tree_has_room(&tree.tree, LEVELS_OF_GROUP)) {
			figures_add(&tree.tree.level[0].figures, &group->figures);
			shown.chains_left_out++;
			shown.total_left_out += group->figures.total;
			continue;
		}
		for (size_t k = 0; k < LEVELS_OF_GROUP && kinds[k] != LEVEL_NONE; k++)
			if (level_is_shown(groups, kinds[k]))
				at = tree_below(&tree, at, i, kinds[k], &label);
		(void)level_tree_add(&tree.tree, at, &group->figures);
	}
	tree_name(&tree, &label);
	level_tree_show(&tree.tree, &shown,
	                &(struct level_knowledge){groups, group_level_cause, NULL},
	                groups->question, to);
	level_tree_release(&tree.tree);
	free(tree.named);
}

/* Why the program's frames are missing, if any program's are shown. */
static void short_stacks_append(const struct off_cpu_groups *groups, struct buffer *to)
{
	const struct timeline *timeline = groups->question->timeline;
	bool has_user = false;

	for (size_t i = 0; i < groups->count; i++)
		has_user |= groups->group[i].stacks.user != 0;
	if (!has_user || !groups_have_stacks(groups) || timeline->short_stacks.count == 0)
		return;
	short_stacks_describe(&timeline->short_stacks, &timeline->names, to);
}

static void groups_print(const struct off_cpu_groups *groups, const struct output *to)
{
	const struct question *question = groups->question;
	_cleanup_(buffer_release) struct buffer hint = {0}, short_stacks = {0};
	bool has_no_places = question->timeline->place_count == 0;

	if (groups->all.count == 0) {
		prose_put(to, "Nothing waited.");
		return;
	}
	if (has_no_places)
		(void)record_hint_append(&hint, " (", &question->resolved->recorded, "",
		                         /* stacks= */ true, " shows it)");
	short_stacks_append(groups, &short_stacks);
	say_to(to, NULL,
	       "{time} of waiting in {count} wait{|s}{text}[, {time} of it for something to do]."
	       "[{if} Where they slept, and in what they were woken, is not known[{text}].| For "
	       "{count} of them no stack was recorded.][ Some stacks of programs {text}.]",
	       TIME(groups->all.total), COUNT(groups->all.count), TEXT(question_scope(question)),
	       WHEN(groups->for_work, TIME(groups->for_work)), IF(has_no_places), TEXT(hint.text),
	       WHEN(groups_have_stacks(groups) && groups->without_stack,
	            COUNT(groups->without_stack)), TEXT(short_stacks.text));
}

static void off_cpu_report(const void *state, const struct output *to)
{
	const struct question *question = state;
	struct off_cpu_groups groups;
	struct name_folds folds;

	off_cpu_groups_fill(&groups, question,
	                    name_folds_of_tasks(&folds, to->presenter, question));
	output_section_begin(to, "off_cpu", "Off-CPU", /* is_list= */ true);
	groups_print(&groups, to);
	if (to->presenter->paths)
		groups_show_paths(&groups, to);
	if (output_shows_nodes(to))
		groups_show_tree(&groups, to);
	else if (!to->presenter->is_of_paths)
		groups_show_rows(&groups, to);
	output_section_end(to);
	tally_release(&groups.tally);
	name_folds_release(&folds);
}

const struct analysis off_cpu_analysis = {
	.name = "off-cpu",
	.about = "where tasks slept, and what their wakers were doing",
	.sort_keys = off_cpu_sort_keys,
	.heeds = HEEDS_TASKS | HEEDS_KINDS | HEEDS_AIMS | HEEDS_CPUS | HEEDS_MIN | HEEDS_FOLD |
	         HEEDS_BY | HEEDS_STACKS,
	.has_paths = true,
	.needs_history = true,
	.report = off_cpu_report,
};
