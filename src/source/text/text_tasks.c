/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_tasks.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/xalloc.h"

void text_tasks_init(struct text_tasks *tasks)
{
	*tasks = (struct text_tasks){0};
	id_table_init(&tasks->by_tid);
	intern_init(&tasks->names);
}

void text_tasks_release(struct text_tasks *tasks)
{
	free(tasks->task);
	id_table_release(&tasks->by_tid);
	intern_release(&tasks->names);
}

/* NULL: it is an idle task, or there are too many. */
static struct text_task *tasks_find(struct text_tasks *tasks, int32_t tid)
{
	uint32_t at = id_table_get(&tasks->by_tid, (uint64_t)tid);

	if (tid <= 0)
		return NULL;
	if (at == ID_TABLE_NONE) {
		if (tasks->count == TEXT_TASKS_MAX)
			return NULL;
		at = (uint32_t)tasks->count;
		id_table_put(&tasks->by_tid, (uint64_t)tid, at);
		ARRAY_GROW(tasks->task, tasks->count, tasks->capacity);
		tasks->task[tasks->count++] = (struct text_task){.tid = tid, .tgid = -1};
	}
	return &tasks->task[at];
}

bool text_tasks_learn(struct text_tasks *tasks, const struct text_head *head)
{
	struct text_task *task = head->tgid > 0 ? tasks_find(tasks, head->tid) : NULL;
	bool is_other = task && task->tgid != head->tgid;

	if (is_other)
		task->tgid = head->tgid;
	return is_other;
}

void text_tasks_add(struct text_tasks *tasks, const struct text_head *head)
{
	struct text_task *task = tasks_find(tasks, head->tid);

	if (!task)
		return;
	if (head->tgid > 0)
		task->tgid = head->tgid;
	if (line_length(head->comm) > 0 && !word_is(head->comm, "<...>") && !text_head_is_cut(head))
		task->comm = intern_add(&tasks->names, head->comm.at, line_length(head->comm));
}

struct known_task *text_tasks_known(const struct text_tasks *tasks)
{
	struct known_task *known = xcalloc(tasks->count, sizeof(*known));

	for (size_t i = 0; i < tasks->count; i++)
		known[i] = (struct known_task){
			.tid = tasks->task[i].tid,
			.tgid = tasks->task[i].tgid,
			.comm = intern_text(&tasks->names, tasks->task[i].comm),
		};
	return known;
}
