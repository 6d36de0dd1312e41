/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the time was spent on, as kinds of costs, each divided among the tasks that spent it: the
 * leaves of a chain tree summed up, and other known times.
 */
#pragma once

#include "analysis/link_names.h"
#include "base/buffer.h"
#include "ftwait/report.h"
#include "graph/chain_tree.h"

enum cost_kind {
	COST_RUNNING,
	COST_QUEUE,   /* runnable, but other tasks had the CPU */
	COST_LIMIT,   /* runnable, but held back by its control group's limit on CPU time, */
	COST_BUDGET,  /* by its own budget as a deadline task, */
	COST_REAL_TIME, /* or by the limit of all real-time tasks */
	COST_WAIT,    /* waiting for what the cause describes */
	COST_OTHERS_RUNNING, /* another task, which was waited for, was running */
	COST_OTHERS_QUEUE,   /* or stood in a run queue */
	COST_STOPPED,
	COST_UNKNOWN,
	/* apart: as far as is known, nothing was held up by the following */
	COST_FOR_WORK, /* there was no work */
	COST_ASLEEP,   /* on a timer of its own */
	COST_OPEN,     /* had not ended, so its purpose is unknown */
	COST_KERNEL,   /* threads of the kernel wait: that is their purpose */
	COST_RECORDER, /* the recorder itself, whatever it did */
	COST_UNSEEN,   /* not recorded: before a task's first event, or where events were lost */
};

static inline bool cost_is_apart(enum cost_kind kind)
{
	return kind >= COST_FOR_WORK;
}

struct stall;
enum cost_kind cost_of_limit(enum cpu_limit limit);

struct cost_share {
	uint32_t comm; /* name id */
	nsec_t total;
	/* For a path: the part that other tasks had, and which tasks they were. */
	nsec_t of_others;
	struct voter others;
};

struct cost {
	enum cost_kind kind;
	struct shared_cause cause; /* only of COST_WAIT */
	nsec_t total;
	uint32_t number; /* in order of arrival: equal ones keep it */
	bool is_mixed;   /* contains different sleeps on timers */
	bool is_small;   /* a negligible part of all that is not apart */
	struct cost_share *share;
	size_t share_count, share_capacity;
};

struct cost_list {
	struct timeline *timeline;
	struct cost *cost;
	size_t count, capacity;
	struct map by_hash, share_by_comm;
	struct link_names names;
	uint32_t own; /* name of the task, if all costs are of one task's path; else 0 */
	nsec_t total, apart; /* of all costs; of those that are apart */
};

void cost_list_init(struct cost_list *list, struct timeline *timeline);
void cost_list_release(struct cost_list *list);
/* For all kinds but COST_WAIT. comm: name id; 0: the time is of no task. */
void cost_list_add(struct cost_list *list, enum cost_kind kind, uint32_t comm, nsec_t time);
/* Adds all time in the tree; its causes are borrowed. `is_path`: also the time of the tasks
   themselves, not only of what they waited for. */
void cost_list_add_tree(struct cost_list *list, const struct chain_tree *tree, bool is_path);
/*
 * A sleep that one task chose and another waited for is reported as the other's wait, and removed
 * from the sleeps that held nothing up. By names, so the sum reported is never too large. Call
 * once, after all is added.
 */
void cost_list_count_once(struct cost_list *list);
/* Sorts the costs: largest first, then those apart, then small ones; and their shares, largest
   first. */
void cost_list_sort(struct cost_list *list);
/* Sorts the costs alone, largest first, apart or not. */
void cost_list_sort_by_time(struct cost_list *list);
/* The part of all reported time that costs of that kind have; for COST_WAIT only causes of that
   kind count. */
double cost_list_part(const struct cost_list *list, enum cost_kind kind, enum cause_kind cause);
/* Whether it is the time of a device, a link or the like, not of a task. */
bool cost_is_of_object(const struct cost *cost);
/* The same for a node of a path: whether the action of a task ends there. */
bool cost_node_is_of_task(const struct chain_node *node);
/* What all waits of the cost have in common; only for COST_WAIT. */
struct cause cost_cause(const struct timeline *timeline, const struct cost *cost);
/* The stall of the dictionary (words/stall.h) that it is; NULL: none. */
const struct stall *cost_stall(const struct timeline *timeline, const struct cost *cost);
/* "run queue", "disk 254,0". */
void cost_name_append(struct buffer *to, const struct cost_list *list, const struct cost *cost);
