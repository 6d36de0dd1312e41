/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The label of a link of a chain: the name of its tasks, and the tid of the main task if several
   tasks have that name. */
#pragma once

#include "analysis.h"
#include "base/text/buffer.h"
#include "graph/walk/chain_tree.h"
#include "graph/name_folds.h"

struct link_names {
	const struct timeline *timeline;
	struct map tasks; /* number of tasks with the name, by name id */
	/* Names that are shown as one; NULL: no names are folded. May be set after
	   link_names_init(). */
	const struct name_folds *folds;
};

/* The timeline is borrowed. */
void link_names_init(struct link_names *names, const struct timeline *timeline);
void link_names_release(struct link_names *names);
/* Folds the last names of all tasks if the presenter shows folds, keeping those of asked tasks
   apart if they are few. Returns `folds`, or NULL if no names fold. Call name_folds_release()
   later. */
const struct name_folds *name_folds_of_tasks(struct name_folds *folds,
                                             const struct presenter *presenter,
                                             const struct question *question);
/* Whether several tasks have that name, or a name of its fold. */
bool link_name_is_of_many(const struct link_names *names, uint32_t comm);
/* "git", "worker-*"; "other git tasks". */
void link_name_append(const struct link_names *names, uint32_t comm, struct buffer *to);
void link_others_append(const struct link_names *names, uint32_t comm, struct buffer *to);
/*
 * Appends "git". If several tasks have that name: "git[12]" if all of the time was that task's,
 * "git[12] and others" if most of it was, and if no task had most of it, "other git tasks" where
 * the waiter has that name, too (`is_own`). For names that fold: "worker-3" if all of the time was
 * that task's and no other task has this name, "worker-3[12] and others", "worker-*", "other
 * worker-* tasks". Returns whether several tasks are named.
 */
bool link_names_append(const struct link_names *names, uint32_t comm,
                       const struct voter *voter, bool is_own, struct buffer *to);
