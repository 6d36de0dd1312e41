/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "text_tasks.h"

#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "words/command_line.h"

#define KTHREADD 2

void text_tasks_init(struct text_tasks *tasks)
{
	*tasks = (struct text_tasks){0};
	id_table_init(&tasks->by_tid);
	intern_init(&tasks->names);
	id_table_init(&tasks->process_by_tgid);
	buffer_init(&tasks->line, COMMAND_LINE_TEXT_MAX);
}

void text_tasks_release(struct text_tasks *tasks)
{
	free(tasks->task);
	id_table_release(&tasks->by_tid);
	intern_release(&tasks->names);
	free(tasks->process);
	id_table_release(&tasks->process_by_tgid);
	buffer_release(&tasks->line);
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

void text_tasks_add_thread(struct text_tasks *tasks, int32_t tid, int32_t tgid, uint32_t comm)
{
	struct text_task *task = tasks_find(tasks, tid);

	if (!task)
		return;
	if (task->tgid < 0)
		task->tgid = tgid;
	if (!task->comm)
		task->comm = comm;
}

/* The command as a valid text of command_line.h: its first word is all that a table has. */
static uint32_t tasks_add_command(struct text_tasks *tasks, uint32_t command)
{
	const char *word = intern_text(&tasks->names, command);

	buffer_clear(&tasks->line);
	command_line_write(&tasks->line, word, strlen(word) + 1, /* is_whole= */ false);
	return tasks->line.length ? intern_add(&tasks->names, tasks->line.text, tasks->line.length)
	                          : 0;
}

void text_tasks_add_process(struct text_tasks *tasks, int32_t tgid, int32_t parent,
                            uint32_t command)
{
	struct text_task *task;

	text_tasks_add_thread(tasks, tgid, tgid, /* comm= */ 0);
	task = tasks_find(tasks, tgid);
	if (!task || id_table_get(&tasks->process_by_tgid, (uint64_t)tgid) != ID_TABLE_NONE)
		return;
	task->is_kernel = tgid == KTHREADD || parent == KTHREADD;
	id_table_put(&tasks->process_by_tgid, (uint64_t)tgid, (uint32_t)tasks->process_count);
	ARRAY_GROW(tasks->process, tasks->process_count, tasks->process_capacity);
	tasks->process[tasks->process_count++] = (struct text_process){
		.tgid = tgid,
		.parent = parent,
		.command = command ? tasks_add_command(tasks, command) : 0,
	};
}

struct known_process *text_tasks_processes(const struct text_tasks *tasks,
                                           struct source_program **ret_programs,
                                           size_t *ret_program_count)
{
	struct known_process *known = xcalloc(tasks->process_count, sizeof(*known));
	struct source_program *program = xcalloc(tasks->process_count, sizeof(*program));
	size_t count = 0;

	for (size_t i = 0; i < tasks->process_count; i++) {
		const struct text_process *process = &tasks->process[i];

		known[i] = (struct known_process){
			.tgid = process->tgid,
			.parent = process->parent,
			.cgroup = SOURCE_CGROUP_NONE,
		};
		if (process->command)
			program[count++] = (struct source_program){
				.tgid = process->tgid,
				.text = intern_text(&tasks->names, process->command),
			};
	}
	*ret_programs = program;
	*ret_program_count = count;
	return known;
}

struct known_task *text_tasks_known(const struct text_tasks *tasks)
{
	struct known_task *known = xcalloc(tasks->count, sizeof(*known));

	for (size_t i = 0; i < tasks->count; i++)
		known[i] = (struct known_task){
			.tid = tasks->task[i].tid,
			.tgid = tasks->task[i].tgid,
			.comm = intern_text(&tasks->names, tasks->task[i].comm),
			.is_kernel = tasks->task[i].is_kernel,
		};
	return known;
}
