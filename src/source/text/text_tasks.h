/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names and processes of tasks, from the heads of lines, of which later values replace earlier
 * ones; and where these do not tell, from tables of processes beside the events.
 */
#pragma once

#include <stddef.h>

#include "base/data/id_table.h"
#include "base/data/intern.h"
#include "base/text/buffer.h"
#include "ftwait/source.h"
#include "text_head.h"

#define TEXT_TASKS_MAX (1u << 20)

struct text_task {
	int32_t tid, tgid; /* tgid -1: not known */
	uint32_t comm;     /* id in `names`; 0: not known */
	bool is_kernel;    /* as a table says */
};

/* A process of a table. */
struct text_process {
	int32_t tgid, parent;
	uint32_t command; /* id in `names`; 0: none */
};

struct text_tasks {
	struct text_task *task;
	size_t count, capacity;
	struct id_table by_tid;
	struct intern names;
	struct text_process *process; /* each once */
	size_t process_count, process_capacity;
	struct id_table process_by_tgid;
	struct buffer line; /* scratch */
};

void text_tasks_init(struct text_tasks *tasks);
void text_tasks_release(struct text_tasks *tasks);
void text_tasks_add(struct text_tasks *tasks, const struct text_head *head);
/* Keeps only the process of the head's task; whether that is another one than before. */
bool text_tasks_learn(struct text_tasks *tasks, const struct text_head *head);
/* Names are ids in tasks->names; 0: not known. A command is what the process executes. */
void text_tasks_add_thread(struct text_tasks *tasks, int32_t tid, int32_t tgid, uint32_t comm);
void text_tasks_add_process(struct text_tasks *tasks, int32_t tgid, int32_t parent,
                            uint32_t command);
/* Returns an array of tasks->count entries. The caller frees it; the names belong to `tasks`. */
struct known_task *text_tasks_known(const struct text_tasks *tasks);
/* The same, of tasks->process_count entries; *ret_programs: of those that have a command. */
struct known_process *text_tasks_processes(const struct text_tasks *tasks,
                                           struct source_program **ret_programs,
                                           size_t *ret_program_count);
