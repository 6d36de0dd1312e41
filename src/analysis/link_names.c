/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "link_names.h"

#include <string.h>

#include "graph/timeline_hosts.h"
#include "words/task_words.h"

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

void link_name_append(const struct link_names *names, uint32_t comm, struct buffer *to)
{
	const char *text = intern_text(&names->timeline->names, comm);

	buffer_puts_clean(to, text, strlen(text));
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

/* Appends a task of that name as tables show it. */
static void link_task_append(const struct link_names *names, uint32_t track, uint32_t name,
                             struct buffer *to)
{
	struct task task = timeline_task(names->timeline, track, NSEC_NEVER);

	if (track_name(&names->timeline->track[track]) != name) {
		task.comm = timeline_own_name(names->timeline, name);
		task.program = NULL;
	}
	task_text_append(to, &task);
}

void link_others_append(const struct link_names *names, uint32_t comm, struct buffer *to)
{
	buffer_puts(to, "other ");
	link_name_append(names, comm, to);
	buffer_puts(to, " tasks");
}

bool link_names_append(const struct link_names *names, uint32_t comm,
                       const struct voter *voter, bool is_own, struct buffer *to)
{
	uint32_t track = voter_task(voter);
	bool is_one = track != TRACK_NONE && link_name_is_of_many(names, comm), is_all;
	uint32_t name;

	if (!is_one && is_own) {
		link_others_append(names, comm, to);
		return true;
	}
	if (!is_one) {
		link_name_append(names, comm, to);
		return name_is_folded(names->folds, comm);
	}
	is_all = voter->own == voter->all;
	name = name_of_member(names, track, comm);
	if (!is_all || name_is_of_several(names, name))
		link_task_append(names, track, name, to);
	else
		link_name_append(names, name, to);
	buffer_puts(to, is_all ? "" : " and others");
	return !is_all;
}
