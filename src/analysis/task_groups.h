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
#include "analysis/tables/relation.h"

#define TASK_GROUP_NONE UINT32_MAX /* of idle tasks */

enum task_group_kind {
	GROUP_CGROUP,
	GROUP_TREE,
	GROUP_KERNEL,
	GROUP_UNKNOWN, /* its control group is not known */
};

struct task_group {
	uint64_t key;     /* by its path, or by the pid of its root */
	uint8_t kind;     /* enum task_group_kind */
	uint8_t machine;  /* number of the machine of its tasks */
	uint32_t path;    /* cgroup: id in names */
	char *name;       /* short, printable; owned; two groups may have the same */
	char *pids;       /* of its processes, for --pid; owned; NULL: a control group */
};

struct task_groups {
	TALLY(groups, struct task_group, group, count);
	uint32_t *of_track; /* index of its group, by track */
	size_t track_count;
	bool are_trees;
};

/* The question must be resolved. Cost: O(tracks). only_cgroups: by control group even if the trace
   names none: then the group of all programs is not known. */
void task_groups_init(struct task_groups *groups, const struct question *question,
                      bool only_cgroups);
void task_groups_release(struct task_groups *groups);
/* The cells of the columns `group`, its short name, and `cgroup`, its path. */
#define TASK_GROUP_CELLS 2
#define TASK_GROUP_FIELDS(at)                                                                      \
	[at] = {"group", "GROUP", CELL_TEXT, 0, FILLED},                                           \
	[(at) + 1] = {"cgroup", "CGROUP", CELL_TEXT, COLUMN_DATA_ONLY, FILLED}
/* The column that a link to the group needs if no control group is named. */
#define TASK_GROUP_PIDS "pids", NULL, CELL_TEXT, COLUMN_FOR_LINKS, FILLED
void task_group_cells(const struct task_groups *groups, const struct timeline *timeline,
                      uint32_t group, struct cell ret[static TASK_GROUP_CELLS]);
/* The cell of TASK_GROUP_PIDS. */
struct cell task_group_pids(const struct task_groups *groups, uint32_t group);

/*
 * Each group of tasks lost some time; these are the parts that it lost to each other group, and to
 * itself: as CELL_ROWS for data, and as "backup.service 60.9 %, itself 2.0 %" for people.
 */

/* What time is lost to and is no group, such as interrupts. */
struct group_stranger {
	uint32_t by; /* no index of a group */
	const char *kind, *name;
};

struct group_shares {
	const struct question *question;
	const struct task_groups *groups;
	/* The last one, by TASK_GROUP_NONE, has the kind of groups, and the name of everything
	   else. NULL: time is lost to groups only, and rows have no column `kind`. */
	const struct group_stranger *stranger;
	struct tally shares;
};

/* All that is passed is borrowed. */
void group_shares_init(struct group_shares *self, const struct question *question,
                       const struct task_groups *groups, const struct group_stranger *strangers);
void group_shares_release(struct group_shares *self);
/* `by`: a group, or a stranger. A total of 0 adds nothing. */
void group_shares_add(struct group_shares *self, uint32_t group, uint32_t by, nsec_t total);
/* Fills in the shares of the group, largest first: *ret gets them all, with the columns `group`,
   `cgroup`, `kind` and `total_ns`, as fill() of struct relation_form does; `text` gets the first
   `most`, as parts of `whole`. */
void group_shares_fill(const struct group_shares *self, uint32_t group, nsec_t whole, size_t most,
                       struct cell *ret, struct buffer *text);
