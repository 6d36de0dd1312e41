/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waits of the asked tasks, grouped by both of their ends: who slept where, and who or what
 * woke it, doing what. About 170 bytes a group.
 */
#pragma once

#include "analysis/analysis.h"
#include "base/map.h"
#include "graph/name_folds.h"
#include "graph/shared_cause.h"
#include "graph/voter.h"

struct off_cpu_group {
	uint32_t comm;                   /* name id; of names that fold the fold's */
	struct wait_stacks stacks;
	uint8_t purpose;                 /* enum purpose of sleeps with this stack */
	uint32_t waker;                  /* the same; 0: no task, or it is not known */
	struct voter sleepers, wakers;   /* which tasks of these names they were */
	bool is_open;                    /* nothing has ended them in the window */
	bool is_from_begin;              /* no stack: they slept when the trace began */
	struct shared_cause cause;
	struct figures figures;
};

struct off_cpu_groups {
	const struct question *question;
	const struct name_folds *folds; /* names that are told as one; NULL: none are */
	struct off_cpu_group *group;    /* after off_cpu_groups_fill() in the asked order */
	size_t count, capacity;
	struct map by_hash;
	size_t sort_key;
	struct figures all;
	nsec_t for_work; /* of it those who slept because there was nothing to do */
	uint64_t without_stack; /* waits */
};

/* As --sort names them, in the order of which sort_key is an index. */
extern const char *const off_cpu_sort_keys[];

/* Gathers all and sorts them. */
void off_cpu_groups_fill(struct off_cpu_groups *groups, const struct question *question,
                         const struct name_folds *folds);
void off_cpu_groups_release(struct off_cpu_groups *groups);
