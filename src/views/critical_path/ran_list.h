/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tasks did while they ran, by the samples of a profile: for each task the stacks, with their
 * share of its running time.
 */
#pragma once

#include "base/data/map.h"
#include "ftwait/report.h"
#include "graph/timeline/timeline.h"

struct ran_stack {
	uint32_t track, frames, user;
	uint32_t samples;
};

struct ran_task {
	uint32_t track;
	nsec_t running;
	uint32_t samples;
};

struct ran_list {
	const struct timeline *timeline;
	struct ran_stack *stack;
	size_t stack_count, stack_capacity;
	struct map by_hash;
	struct ran_task *task;
	size_t task_count, task_capacity;
	struct map by_track;
};

void ran_list_init(struct ran_list *list, const struct timeline *timeline);
void ran_list_release(struct ran_list *list);
/* Adds that the track ran in [begin, end). Does nothing if no profile was recorded. */
void ran_list_add(struct ran_list *list, uint32_t track, nsec_t begin, nsec_t end);
/* Prints a table "ran", longest running time first; nothing if no profile was recorded. */
void ran_list_report(struct ran_list *list, const struct output *to);
