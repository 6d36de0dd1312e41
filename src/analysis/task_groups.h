/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of a trace by the service that they belong to: by control group if the trace names any
 * besides the root, otherwise by process tree. A task counts to the group in which it was last
 * within the window, with all of its time. Threads of the kernel that are in no group of their own
 * are one group.
 *
 * The root of a process tree is the topmost known ancestor below init, kthreadd and the ancestors
 * of the recorder, as the shell that started a recording often started what it is about, too.
 * Parents are those of the recorder's snapshots, and of forks that the trace shows.
 */
#pragma once

#include "analysis.h"

#define TASK_GROUP_NONE UINT32_MAX /* of idle tasks */

enum task_group_kind {
	GROUP_CGROUP,
	GROUP_TREE,
	GROUP_KERNEL,
	GROUP_UNKNOWN, /* its control group is not known */
};

struct task_group {
	uint8_t kind;     /* enum task_group_kind */
	uint8_t machine;  /* number of the machine of its tasks */
	uint32_t path;    /* cgroup: id in names */
	int32_t root;     /* tree: pid of its root */
	char *name;       /* short, printable; owned; two groups may have the same */
};

struct task_groups {
	struct task_group *group;
	size_t count, capacity;
	uint32_t *of_track; /* index of its group, by track */
	size_t track_count;
	bool are_trees;
};

/* The question must be resolved. Cost: O(tracks). */
void task_groups_init(struct task_groups *groups, const struct question *question);
/* The same by control group even if the trace names none: then the group of all programs is not
   known. */
void task_groups_init_of_cgroups(struct task_groups *groups, const struct question *question);
void task_groups_release(struct task_groups *groups);
/* The group's path; NULL: it has none. */
const char *task_group_path(const struct task_groups *groups, const struct timeline *timeline,
                            uint32_t group);
/* The cells of the columns `group`, its short name, and `cgroup`, its path. */
#define TASK_GROUP_CELLS 2
void task_group_cells(const struct task_groups *groups, const struct timeline *timeline,
                      uint32_t group, struct cell ret[static TASK_GROUP_CELLS]);
