/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What time went to, as kinds of costs, each with whose time that was: the leaves of a chain tree
 * summed, and what is known of times beside it.
 */
#pragma once

#include "analysis/link_names.h"
#include "base/buffer.h"
#include "ftwait/report.h"
#include "graph/chain_tree.h"

enum cost_kind {
	COST_RUNNING,
	COST_QUEUE,   /* able to run, but for others */
	COST_LIMIT,   /* able to run, but for its control group's limit on CPU time, */
	COST_BUDGET,  /* but for its own as a deadline task, */
	COST_REAL_TIME, /* but for that of all real-time tasks */
	COST_WAIT,    /* for what the cause tells */
	COST_OTHERS_RUNNING, /* somebody else, who was waited for, was running */
	COST_OTHERS_QUEUE,   /* or stood in a run queue */
	COST_STOPPED,
	COST_UNKNOWN,
	/* apart: nothing was held up by these, as far as is known */
	COST_FOR_WORK, /* there was nothing to do */
	COST_ASLEEP,   /* on a timer of its own */
	COST_OPEN,     /* what did not end, nobody knows what it was for */
	COST_KERNEL,   /* threads of the kernel wait: that is what they are for */
	COST_RECORDER, /* what recorded the trace, whatever it did */
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
	/* Of a path: the part that other tasks had, and which tasks they were. */
	nsec_t of_others;
	struct voter others;
};

struct cost {
	enum cost_kind kind;
	struct shared_cause cause; /* of COST_WAIT, else of none */
	nsec_t total;
	uint32_t number; /* as they came: of equal ones the first is the first */
	bool is_mixed;   /* sleeps on timers that differ */
	bool is_small;   /* next to nothing of all that is not apart */
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
	nsec_t total, apart; /* of all; of those that are apart */
};

void cost_list_init(struct cost_list *list, struct timeline *timeline);
void cost_list_release(struct cost_list *list);
/* Not of COST_WAIT. comm: name id, 0 where it is of nobody. */
void cost_list_add(struct cost_list *list, enum cost_kind kind, uint32_t comm, nsec_t time);
/* All time in the tree, whose causes are borrowed. `is_path`: of the tasks themselves, too, not
   only of what they waited for. */
void cost_list_add_tree(struct cost_list *list, const struct chain_tree *tree, bool is_path);
/*
 * A sleep that one task chose and another waited for is told as the other's wait, and not again
 * among those that held nobody up. By names, so what is told is no more than there was. After all
 * is added, once.
 */
void cost_list_tell_once(struct cost_list *list);
/* Costs largest first, then those apart, then small ones; shares largest first. */
void cost_list_sort(struct cost_list *list);
/* The costs alone, largest first, apart or not. */
void cost_list_sort_by_time(struct cost_list *list);
/* What the costs of that kind, and for COST_WAIT of that kind of cause, are of all that is told. */
double cost_list_part(const struct cost_list *list, enum cost_kind kind, enum cause_kind cause);
/* Whether it is the time of a device, a link or the like: no task's, whoever waited for it. */
bool cost_is_of_object(const struct cost *cost);
/* The same of a node of a path: whether what ends there was some task's doing. */
bool cost_node_is_of_task(const struct chain_node *node);
/* What all that is in it has in common; of COST_WAIT. */
struct cause cost_cause(const struct timeline *timeline, const struct cost *cost);
/* Which stall of the dictionary (words/stall.h) it is; NULL: none. */
const struct stall *cost_stall(const struct timeline *timeline, const struct cost *cost);
/* "run queue", "disk 254,0". */
void cost_name_append(struct buffer *to, const struct cost_list *list, const struct cost *cost);
