/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes with their descendants, as /proc shows them at one time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/nsec.h"

#define TASK_FAMILY_MAX 8192

struct task_family {
	int32_t *process; /* also threads, if they were added */
	size_t count, capacity;
	struct map by_pid;
};

void task_family_init(struct task_family *family);
void task_family_release(struct task_family *family);
/* Adds a process, or a thread, unless the family has it or is full. */
void task_family_add(struct task_family *family, int32_t pid);
bool task_family_has(const struct task_family *family, int32_t pid);
/* Adds the children of all threads of the process. */
void task_family_add_children(struct task_family *family, int32_t tgid);
/* Adds the descendants of all, as far as there is time until `deadline` (CLOCK_MONOTONIC). */
void task_family_grow(struct task_family *family, nsec_t deadline);
