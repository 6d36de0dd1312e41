/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waits of the asked tasks, grouped by both of their ends: the sleeper and its stack, the
 * waker or cause and its stack. About 170 bytes a group.
 */
#pragma once

#include "analysis/analysis.h"
#include "base/map.h"
#include "graph/name_folds.h"
#include "graph/shared_cause.h"
#include "graph/voter.h"

struct off_cpu_group {
	uint32_t comm;                   /* name id, or the fold's if the name is folded */
	struct wait_stacks stacks;
	uint8_t purpose;                 /* enum purpose of sleeps with this stack */
	uint32_t waker;                  /* the same; 0: no task, or not known */
	struct voter sleepers, wakers;   /* votes for the tasks of these names */
	bool is_open;                    /* not ended in the window */
	bool is_from_begin;              /* no stack: asleep when the trace began */
	struct shared_cause cause;
	struct figures figures;
};

struct off_cpu_groups {
	const struct question *question;
	const struct name_folds *folds; /* names that are shown as one; NULL: none are */
	struct off_cpu_group *group;    /* after off_cpu_groups_fill() in the asked order */
	size_t count, capacity;
	struct map by_hash;
	size_t sort_key;
	struct figures all;
	nsec_t for_work; /* the part of it that was for work */
	uint64_t without_stack; /* number of waits */
};

/* The names for --sort; sort_key is an index. */
extern const char *const off_cpu_sort_keys[];

/* Gathers all waits and sorts the groups. */
void off_cpu_groups_fill(struct off_cpu_groups *groups, const struct question *question,
                         const struct name_folds *folds);
void off_cpu_groups_release(struct off_cpu_groups *groups);
