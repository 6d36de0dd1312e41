/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members of a reason: which units vote for it, which have it, its leaf, and its p. */
#pragma once

#include "tail_answer.h"
#include "tally/tally.h"

/* The search for reasons. */
struct tail_search {
	struct tail_answer *answer;
	nsec_t *median; /* by key, of the middle half */
	size_t asked;   /* questions: keys with votes, and finer ones */
};

/* A leaf that units have which vote for a reason. */
struct tail_leaf_row {
	uint64_t leaf;
	nsec_t total;  /* of these units */
	nsec_t median; /* of the middle half */
	nsec_t excess; /* of these units, over that */
};

/* The n-th unit, the longest one first: of the far ones, which come first, and then of the
   others. */
static inline size_t tail_far_at(const struct tail_answer *answer, size_t n)
{
	return answer->order[answer->count - 1 - n];
}

static inline nsec_t tail_excess_over(nsec_t value, nsec_t base)
{
	return value > base ? value - base : 0;
}

static inline const struct tail_unit *tail_unit_at(const struct tail_answer *answer, size_t number)
{
	return &answer->units->unit[number];
}

/* The median over the middle half of the units of what the reason is about; 0 if most of them lack
   it. */
nsec_t tail_middle_median(const struct tail_answer *answer, const struct tail_reason *reason);
/* How much the unit has of what the reason is about. */
nsec_t tail_reason_time(const struct tail_answer *answer, const struct tail_reason *reason,
                        size_t number);
/* Whether the unit votes for the reason. */
bool tail_reason_has_vote(const struct tail_answer *answer, const struct tail_reason *reason,
                          size_t number);
/* Makes rows of struct tail_leaf_row, of the largest leaves of the units that vote for the reason,
   which is about a key. */
void tail_leaves_gather(const struct tail_search *search, const struct tail_reason *reason,
                        struct tally *rows);
/* Finds all members of a reason of which it is known what it is about: its votes, its leaf, what
   exceeds the median, who has it, and p, uncorrected; but not p99_without. There must be a vote for
   it. */
void tail_reason_measure(const struct tail_search *search, struct tail_reason *reason);
/* The 99th percentile of all units, if those that have the reason had the median of it. */
nsec_t tail_p99_without(const struct tail_answer *answer, const struct tail_reason *reason);
/* Whether it is a rare cause, if its p is corrected. */
bool tail_reason_is_rare(const struct tail_answer *answer, const struct tail_reason *reason);
