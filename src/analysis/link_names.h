/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a link of a chain is called: by the name of its tasks, and by which of them it was where
 * others of that name could be meant.
 */
#pragma once

#include "analysis.h"
#include "base/buffer.h"
#include "graph/chain_tree.h"
#include "graph/name_folds.h"

struct link_names {
	const struct timeline *timeline;
	struct map tasks; /* how many are called so, by name id */
	/* Names that are told as one; NULL: none are. May be set after link_names_init(). */
	const struct name_folds *folds;
};

/* The timeline is borrowed. */
void link_names_init(struct link_names *names, const struct timeline *timeline);
void link_names_release(struct link_names *names);
/* Folds the last names of all tasks, those of the asked tasks apart where they are few; returns
   whether any fold. After name_folds_init(), once. */
bool name_folds_of_tasks(struct name_folds *folds, const struct question *question);
/* Whether several tasks have that name, or one of its fold. */
bool link_name_is_of_many(const struct link_names *names, uint32_t comm);
/* "git", "worker-*"; "other git tasks". */
void link_name_append(const struct link_names *names, uint32_t comm, struct buffer *to);
void link_others_append(const struct link_names *names, uint32_t comm, struct buffer *to);
/*
 * Appends "git"; "git[12]" if several tasks have that name and all of it was this one's; "git[12]
 * and others" if most of it was. If no task had most, "other git tasks" where the waiter has that
 * name, too (`is_own`). Of names that fold: "worker-3" if all of it was that task's, which alone is
 * called so, "worker-3[12] and others", "worker-*", "other worker-* tasks". Returns whether several
 * tasks are named.
 */
bool link_names_append(const struct link_names *names, uint32_t comm,
                       const struct voter *voter, bool is_own, struct buffer *to);
