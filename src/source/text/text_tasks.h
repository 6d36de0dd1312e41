/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and processes of tasks, from the heads of lines. Later values replace earlier ones. */
#pragma once

#include <stddef.h>

#include "base/data/id_table.h"
#include "base/data/intern.h"
#include "ftwait/source.h"
#include "text_head.h"

#define TEXT_TASKS_MAX (1u << 20)

struct text_task {
	int32_t tid, tgid; /* tgid -1: not known */
	uint32_t comm;     /* id in `names`; 0: not known */
};

struct text_tasks {
	struct text_task *task;
	size_t count, capacity;
	struct id_table by_tid;
	struct intern names;
};

void text_tasks_init(struct text_tasks *tasks);
void text_tasks_release(struct text_tasks *tasks);
void text_tasks_add(struct text_tasks *tasks, const struct text_head *head);
/* Keeps only the process of the head's task; whether that is another one than before. */
bool text_tasks_learn(struct text_tasks *tasks, const struct text_head *head);
/* Returns an array of tasks->count entries. The caller frees it; the names belong to `tasks`. */
struct known_task *text_tasks_known(const struct text_tasks *tasks);
