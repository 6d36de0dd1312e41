/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why some units took far longer than the others: arithmetic on the parts of tail_units.h.
 *
 * far        beyond the outer fence of all lengths (stats/far_values.h), or the part that is
 *            asked for
 * vote       a far unit's reason is the key that exceeds the median of the middle half of all
 *            units most, if it does so by at least half of what the unit does; else it is
 *            "several things"
 * presence   how many of all units have the key by at least half of what the least one that votes
 *            for it has more than the median
 * named      a reason is a rare cause if, by Fisher's exact test with Holm's correction, presence
 *            and being far go together (p < 0.05), at least half of the units that have it are
 *            far, and two or more vote for it
 *
 * Votes separate causes that occur together; mean values do not.
 *
 * The profile has the means of all keys over the far units and over the others, each divided by
 * its leaves. The mean of a leaf is the difference of two rounded sums, of all leaves up to this
 * one and of those before it; so the leaves of a key sum to the key, each column sums to the mean
 * length, rounded down, and the differences to the difference of these two.
 */
#pragma once

#include "ftwait/report.h"
#include "tail_units.h"

#define TAIL_FAR_LEAST   3   /* far units; from fewer nothing is concluded */
#define TAIL_ENOUGH      200 /* units: with fewer there often are too few far ones */
#define TAIL_P           0.05
#define TAIL_LIFT        0.5
#define TAIL_VOTES_LEAST 2

/* Votes other than for a key. */
#define TAIL_SEVERAL (TAIL_NONE - 1)

struct tail_reason {
	uint32_t key; /* or TAIL_SEVERAL, of which only the votes and the excess are known */
	uint32_t leaf; /* that most of its time has in the units that vote for it; TAIL_NONE */
	uint32_t track; /* of the first unit that votes for it */
	bool is_named;
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
	struct tail_reason *reason; /* those that are named first, then what cost most */
	size_t reason_count;
	struct tail_profile *profile; /* of all keys that any unit has, the largest difference
	                                 first */
	size_t profile_count;
	struct tail_leaf_profile *leaf; /* in the order of the profile, the largest of a key
	                                   first, then what has no leaf */
	size_t leaf_count;
};

/* Finds which units are far: `part`: so many of the longest; 0: those beyond the fence. */
void tail_answer_init(struct tail_answer *answer, const struct tail_units *units, double part);
/* From what length on a key of that length may matter to any far unit: what has less is not worth a
   look at who had the CPU. */
nsec_t tail_answer_least(const struct tail_answer *answer);
/* Finds the reasons and the profile; call once, when the keys are final. Without far units there
   are none. */
void tail_answer_find(struct tail_answer *answer);
void tail_answer_release(struct tail_answer *answer);
