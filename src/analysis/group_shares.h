/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of a time that each group of tasks lost, the parts that it lost to each group: as CELL_ROWS for
 * data, and as "backup.service 60.9 %, itself 2.0 %" for people.
 */
#pragma once

#include "analysis/tables/relation.h"
#include "task_groups.h"

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
	struct relation shares;
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
