/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chains in words. The label of a link is the name of its tasks, and the tid of the main task if
 * several tasks have that name.
 */
#pragma once

#include "analysis/analysis.h"
#include "base/text/buffer.h"
#include "graph/logs/task_names.h"
#include "graph/walk/chain_tree.h"

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
/* "other git tasks", "other worker-* tasks". */
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

/*
 * The heaviest chains in words: "1.200 s (62 %) fio -> jbd2/vda1-8 -> disk 254,0", from the waiter
 * on to what it waited for in the end.
 */

/* `whole`: the time, in ns, that shares are given as parts of; 0: prints nothing. */
void heaviest_chains_print(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, const struct output *to);
/* Appends only the heaviest one, as "4.200 ms (98 %) svc -> jbd2 -> disk vda"; returns false, and
   appends nothing, if there is none of at least a hundredth of `whole`, which is not 0. */
bool heaviest_chain_append(const struct question *question, const struct chain_tree *tree,
                           nsec_t whole, struct buffer *to);
