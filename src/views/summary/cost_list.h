/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the time was spent on, as a list of costs. Each cost is divided among the tasks that spent
   it. Costs are summed from the nodes of chain trees and from other known times. */
#pragma once

#include "analysis/cost_kind.h"
#include "analysis/link_names.h"
#include "base/text/buffer.h"
#include "ftwait/report.h"
#include "graph/walk/chain_tree.h"

#define COST_NEGLIGIBLE 0.005 /* of the whole: smaller ones are negligible */

struct stall;

struct cost_share {
	uint32_t comm; /* name id */
	nsec_t total;
	/* For a path: the part of other tasks with this name, and the vote for the main task among
	   them. */
	nsec_t of_others;
	struct voter others;
};

struct cost {
	enum cost_kind kind;
	struct shared_cause cause; /* only of COST_WAIT */
	uint8_t machine; /* machine of the device, link etc. (cost_is_of_object()) */
	nsec_t total;
	uint32_t number; /* number in order of arrival, which equal costs keep */
	bool is_mixed;   /* it contains different sleeps on timers */
	bool is_small;   /* it is a negligible part of all costs that are not apart */
	struct cost_share *share;
	size_t share_count, share_capacity;
};

struct cost_list {
	const struct question *question;
	struct timeline *timeline;
	struct cost *cost;
	size_t count, capacity;
	struct map by_hash, share_by_comm;
	struct link_names names;
	uint32_t own; /* name of the task, if all costs are of one task's path; else 0 */
	nsec_t total, apart; /* total: sum of all costs; apart: sum of the costs that are apart */
};

void cost_list_init(struct cost_list *list, const struct question *question);
void cost_list_release(struct cost_list *list);
/* Adds time to a cost of any kind but COST_WAIT. comm: name id; 0: the time is of no task. */
void cost_list_add(struct cost_list *list, enum cost_kind kind, uint32_t comm, nsec_t time);
/* Adds all time in the tree; the causes of the tree are borrowed. `is_path`: the tree is of one
   task's path, so the running and runnable time of all its tasks is part of the path's own time. */
void cost_list_add_tree(struct cost_list *list, const struct chain_tree *tree, bool is_path);
/*
 * If one task chose to sleep and another task waited for it, the sleep is reported as the other
 * task's wait, and moved from the sleeps that held nothing up to COST_COUNTED. Tasks are matched by
 * name, so that sum may be too small, but never too large. Call once, after everything is added.
 */
void cost_list_count_once(struct cost_list *list);
/* Sorts the costs: the largest first, then those that are apart, then small ones. Sorts the shares
   of each, the largest first. */
void cost_list_sort(struct cost_list *list);
/* Sorts the costs alone, largest first, apart or not. */
void cost_list_sort_by_time(struct cost_list *list);
/* The sum of the costs of that kind. */
nsec_t cost_list_total(const struct cost_list *list, enum cost_kind kind);
/* Whether all costs that are not apart are negligible: nothing was held up. */
bool cost_list_is_apart(const struct cost_list *list);
/* The part of all reported time that costs of `kind` have; for COST_WAIT only costs with that kind
   of cause count. 0 if cost_list_is_apart(). */
double cost_list_part(const struct cost_list *list, enum cost_kind kind, enum cause_kind cause);
/* Whether the cost is the time of a device, a link or the like, not of a task. */
bool cost_is_of_object(const struct cost *cost);
/* Whether the node's time is that of a task, and not of a device, a link or the like. */
bool cost_node_is_of_task(const struct chain_node *node);
/* What all waits of the cost have in common; only for COST_WAIT. */
struct cause cost_cause(const struct timeline *timeline, const struct cost *cost);
/* The stall of the dictionary (words/stall.h) that the cost is; NULL: it is none. */
const struct stall *cost_stall(const struct timeline *timeline, const struct cost *cost);
/* What a task does meanwhile, behind its name: " in a run queue", " waiting for lock 0x7f00",
   ": cause not recorded". */
void cost_doing_append(struct buffer *to, const struct cost_list *list, const struct cost *cost);
/* "run queue", "disk 254,0"; with several machines "disk 254,0 of db". */
void cost_name_append(struct buffer *to, const struct cost_list *list, const struct cost *cost);
