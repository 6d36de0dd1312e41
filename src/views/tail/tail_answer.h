/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why some units took far longer than the others; tail_reasons.h says how that is found, and what
   makes a reason a rare cause. */
#pragma once

#include "ftwait/report.h"
#include "tail_units.h"

#define TAIL_FAR_LEAST   3   /* far units; from fewer nothing is concluded */
#define TAIL_ENOUGH      200 /* units: with fewer there often are too few far ones */
#define TAIL_P           0.05
#define TAIL_LIFT        0.5
#define TAIL_VOTES_LEAST 2

/* On any machine a few of thousands of units are preempted by something or other. */
#define TAIL_POOL_LEAST 5
#define TAIL_POOL_PART  0.005

/* Votes other than for a key. */
#define TAIL_SEVERAL (TAIL_NONE - 1)
/* In vote_leaf: the unit is of those that have much more of the key than all others. */
#define TAIL_APART (TAIL_NONE - 1)

/* A task that had the CPU, by its key, and the votes for it. */
struct tail_pooled {
	uint32_t key;
	size_t votes;
};

#define TAIL_POOLED_SHOWN 3

struct tail_reason {
	uint32_t key; /* or TAIL_SEVERAL, of which only the votes and the excess are known */
	uint32_t leaf; /* that has most of what exceeds the median in the units that vote for it,
	                  at least half; TAIL_NONE: none has */
	uint32_t track; /* of the first unit that votes for it */
	bool is_named;
	bool is_by_leaf; /* only what of the key has that leaf */
	nsec_t floor;    /* only units with at least so much of the key, which exceeds the
	                    median by more than twice what any other one does; 0: all */
	double floor_p;  /* of that gap */
	nsec_t below;    /* only units that have less of the key, as those with more are a reason
	                    of their own; 0: all */
	bool is_pooled;  /* all keys of run queues, but those that are a rare cause by themselves;
	                    `key` is the one without a task */
	struct tail_pooled pooled[TAIL_POOLED_SHOWN]; /* those with most votes */
	size_t pooled_count; /* of all that are pooled */
	nsec_t median;       /* of the middle half of all units */
	nsec_t from;         /* a unit has it that has so much of it */
	size_t votes;
	size_t slow_with, all_with; /* far units, and all units, that have it */
	double p;                   /* corrected */
	nsec_t excess; /* mean over its votes of what exceeds the median */
	nsec_t p99_without; /* named: of all units, if none had more of it than the median */
};

struct tail_profile {
	uint32_t key;
	nsec_t slow, other; /* means */
	size_t first, leaves; /* of tail_answer.leaf: the first of its leaves, and how many */
};

struct tail_leaf_key {
	uint32_t key, leaf; /* leaf TAIL_NONE: time of the key of which none is kept */
};

/* What went on beside a key. `total` is a mean over all units of that side, `count` the number of
   those whose largest leaf of the key it is, `longest_at` the begin of the one with most of it. */
struct tail_leaf_profile {
	struct tail_leaf_key of;
	struct figures slow, other;
};

struct tail_answer {
	const struct tail_units *units;
	size_t count, far;
	nsec_t median, fence, p99;
	size_t *order;  /* units by length, the longest last: the last `far` ones are far */
	uint32_t *vote; /* by unit: a key, TAIL_SEVERAL, or TAIL_NONE: it is not far */
	uint32_t *vote_leaf; /* by unit: its leaf, or TAIL_APART, if there is a reason by that; else
	                        TAIL_NONE */
	bool *is_alone; /* by key: of a task that had the CPU, and is a rare cause by itself */
	struct tail_reason *reason; /* those that are named first, then what cost most */
	size_t reason_count;
	struct tail_profile *profile; /* of all keys that any unit has, the largest difference
	                                 first */
	size_t profile_count;
	struct tail_leaf_profile *leaf; /* in the order of the profile, the largest of a key
	                                   first, then what has no leaf */
	size_t leaf_count;
};
