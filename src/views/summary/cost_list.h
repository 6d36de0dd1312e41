/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the time was spent on, as a list of costs. Each cost is divided among the tasks that spent
   it. Costs are summed from the nodes of chain trees and from other known times. */
#pragma once

#include "analysis/evidence/evidence.h"
#include "analysis/paths/chain_words.h"
#include "analysis/tables/cost_kind.h"
#include "base/text/buffer.h"
#include "ftwait/report.h"
#include "graph/walk/chain_tree.h"
#include "sentences/thresholds.h"
#include "tally/tally.h"

struct stall;

struct cost_share {
	uint32_t cost, comm; /* number of the cost, name id: the key */
	nsec_t total;
	bool has_own_waits; /* of COST_WAIT: the task itself slept for it, as --waits shows, not
	                       only others that waited for the task */
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
	/* The stretch that stands for it, and its length (cost_evidence.h); 0: none is known. */
	struct evidence_claim claim;
	nsec_t claim_length;
	bool is_mixed;   /* it contains different sleeps on timers */
	bool is_small;   /* it is a negligible part of all costs that are not apart */
	const struct cost_share *share; /* once costs are sorted; largest first */
	size_t share_count;
};

struct cost_list {
	const struct question *question;
	struct timeline *timeline;
	TALLY(costs, struct cost, cost, count);
	TALLY(shares, struct cost_share, share, share_count);
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
/*
 * How much of the cost COST_QUEUE the kernel counts as held back by CPU limits, beside what was
 * placed; 0: too little to be said, or not known. cpu.stat counts for how long CPU limits held
 * tasks back, in the whole recording, and all tasks of a control group together. Where much of that
 * could be placed in no task's stay in a run queue, the kernel's total is right, and such stays are
 * not what they seem. It is only used for the whole recording, and where all tasks under the limits
 * are asked for.
 */
nsec_t cost_list_unplaced(const struct cost_list *list);
/* Whether all costs that are not apart are negligible: nothing was held up. */
bool cost_list_is_apart(const struct cost_list *list);
/* The part of all reported time that costs of `kind` have; for COST_WAIT only costs with that kind
   of cause count. 0 if cost_list_is_apart(). */
double cost_list_part(const struct cost_list *list, enum cost_kind kind, enum cause_kind cause);
/* The node that says what the time of the node was waited for: itself, but if it is not known what
   its task waits for, who waits for that task may say it, for an answer or a lock. Of the node only
   parent, state and cause count; it need not be in the tree. */
const struct chain_node *cost_node_charged(const struct chain_tree *tree,
                                           const struct chain_node *node);
/* The kind of cost that time of such a node is; is_path as in cost_list_add_tree(). */
enum cost_kind cost_of_node(const struct chain_node *node, bool is_path);
/* The cost to which such time was added; NULL: none. The cause counts for COST_WAIT only; the track
   is that of a task that had the time. */
struct cost *cost_list_get(struct cost_list *list, enum cost_kind kind,
                           const struct cause_note *cause, uint32_t track);
/* Whether the cost is the time of a device, a link or the like, not of a task. */
bool cost_is_of_object(const struct cost *cost);
/* What all waits of the cost have in common; only for COST_WAIT. */
struct cause cost_cause(const struct timeline *timeline, const struct cost *cost);
/* The stall of the dictionary (words/cause/stall.h) that the cost is; NULL: it is none. */
const struct stall *cost_stall(const struct timeline *timeline, const struct cost *cost);
/* What a task does meanwhile, behind its name: " in a run queue", " waiting for lock 0x7f00",
   ": cause not recorded". */
void cost_doing_append(struct buffer *to, const struct cost_list *list, const struct cost *cost);
/* "run queue", "disk 254,0"; with several machines "disk 254,0 of db". */
void cost_name_append(struct buffer *to, const struct cost_list *list, const struct cost *cost);

/* The tasks that share a cost, under few names: worker-1, worker-2 and worker-7 are shown as
   "worker-*". */

/* Only this many of the largest shares are used. */
#define NAME_SHARES_MAX 64

/* One share, or several shares under one name. */
struct name_share {
	const char *name; /* borrowed */
	size_t count;     /* of shares */
	nsec_t total;
	const struct cost_share *share; /* the largest */
};

/* Fills `folded`, largest first; returns the number of its elements. The cost's shares must be
   sorted, largest first. */
size_t shares_fold(struct timeline *timeline, const struct cost *cost,
                   struct name_share folded[NAME_SHARES_MAX]);

/* Which other task, or the tasks of which name, had most of the time of one task's path. */

/*
 * Appends which other task had more than half of `all`, the reported time of `self`'s path:
 * "; in 77 % of it postgres ran or waited", "; in 86 % of it omp[17] ran or waited" if several
 * tasks have that name, or "; in 70 % of it other omp tasks ran or waited" if `self` has it, too,
 * and no single task had most. Appends nothing if no other task or name had most. O(nodes).
 */
void whose_append(struct buffer *to, const struct link_names *names, const struct chain_tree *path,
                  uint32_t self, nsec_t all);
