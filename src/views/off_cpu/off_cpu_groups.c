/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "off_cpu_groups.h"

#include <stdlib.h>

#include "analysis/wait_list.h"
#include "base/array.h"

const char *const off_cpu_sort_keys[] = {"total", "count", "max", NULL};

static bool group_is_like(const struct off_cpu_group *a, const struct off_cpu_group *b)
{
	return a->comm == b->comm && a->waker == b->waker && a->is_open == b->is_open &&
	       a->is_from_begin == b->is_from_begin && stacks_are_same(&a->stacks, &b->stacks) &&
	       cause_notes_are_shared(a->cause.note, b->cause.note);
}

static uint64_t group_hash(const struct off_cpu_group *group)
{
	const struct wait_stacks *stacks = &group->stacks;
	uint64_t hash = hash_mix((uint64_t)group->comm << 32 | stacks->frames,
	                         (uint64_t)group->waker << 32 | stacks->waker);

	return shared_cause_hash(group->cause.note, hash_mix(hash, stacks->user));
}

static struct off_cpu_group *groups_find(struct off_cpu_groups *groups,
                                         const struct off_cpu_group *wanted)
{
	uint64_t hash = group_hash(wanted);
	uint32_t index;

	MAP_HASH_EACH(&groups->by_hash, hash, index)
		if (group_is_like(&groups->group[index], wanted)) {
			shared_cause_add(&groups->group[index].cause, wanted->cause.note);
			return &groups->group[index];
		}
	ARRAY_GROW(groups->group, groups->count, groups->capacity);
	map_put(&groups->by_hash, hash, (uint32_t)groups->count);
	groups->group[groups->count] = *wanted;
	return &groups->group[groups->count++];
}

static uint32_t off_cpu_line_name(const struct off_cpu_groups *groups, uint32_t line, nsec_t time)
{
	const struct timeline *timeline = groups->question->timeline;

	if (line == LINE_NONE)
		return 0;
	return name_fold(groups->folds, timeline_name_at(&timeline->line[line], time));
}

static void groups_add(void *state, const struct wait *wait)
{
	struct off_cpu_groups *groups = state;
	const struct question *question = groups->question;
	const struct timeline *timeline = question->timeline;
	const struct cause_note *cause = wait->cause;
	const bool has_stacks = !question->asked->ignores_stacks;
	struct wait_stacks stacks = place_stacks(has_stacks ? &wait->place : NULL);
	struct off_cpu_group wanted = {
		.comm = off_cpu_line_name(groups, wait->line, wait->begin),
		.stacks = stacks,
		.purpose = has_stacks ? wait->place.purpose : 0,
		.cause = shared_cause_of(cause),
		.figures = {.longest_at = NSEC_NEVER},
	};
	struct figures figures = {.count = 1};
	struct off_cpu_group *group;
	nsec_t begin, end;

	if (!wait_clip(question, wait, &begin, &end))
		return;
	wanted.is_from_begin = stacks.frames == 0 && wait->begin == timeline->begin;
	wanted.is_open = wait->is_open || end < wait->end;
	if (wanted.is_open)
		wanted.stacks.waker = 0;
	else if (cause)
		wanted.waker = off_cpu_line_name(groups, cause->waker, wait->end);
	figures.total = figures.longest = end - begin;
	figures.longest_at = begin;
	group = groups_find(groups, &wanted);
	figures_add(&group->figures, &figures);
	voter_vote(&group->sleepers, wait->line, figures.total);
	if (cause && group->waker)
		voter_vote(&group->wakers, cause->waker, figures.total);
	figures_add(&groups->all, &figures);
	groups->for_work += wait->is_for_work ? figures.total : 0;
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
	if (x->figures.total != y->figures.total)
		return x->figures.total > y->figures.total ? -1 : 1;
	if (x->figures.longest_at != y->figures.longest_at)
		return x->figures.longest_at < y->figures.longest_at ? -1 : 1;
	return x->comm < y->comm ? -1 : x->comm > y->comm;
}

void off_cpu_groups_fill(struct off_cpu_groups *groups, const struct question *question,
                         const struct name_folds *folds)
{
	*groups = (struct off_cpu_groups){
		.question = question,
		.folds = folds,
		.sort_key = question_sort_key(question, off_cpu_sort_keys),
		.all = {.longest_at = NSEC_NEVER},
	};
	map_init(&groups->by_hash);
	for (uint32_t line = 0; line < question->timeline->line_count; line++)
		if (question->resolved->is_asked[line])
			wait_list_visit(question, line, groups_add, groups);
	if (groups->count)
		qsort_r(groups->group, groups->count, sizeof(*groups->group), off_cpu_group_compare,
		        groups);
}

void off_cpu_groups_release(struct off_cpu_groups *groups)
{
	map_release(&groups->by_hash);
	free(groups->group);
}
