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
 *            far, and of these at least half, and two or more, vote for it: else it goes along
 *            with another cause
 *
 * finer      a key is divided if some units exceed its median by more than twice what any other
 *            does: these are apart; else, if most units that have it are not far, by leaf, if
 *            those that have one leaf are a rare cause; keys of tasks that had the CPU, but are
 *            no rare cause, are one reason if they are one together, with five votes or more, of
 *            at least one unit in 200
 *
 * Votes separate causes that occur together; mean values do not.
 *
 * The profile has the means of all keys over the far units and over the others, each divided by
 * its leaves. The mean of a leaf is the difference of two rounded sums, of all leaves up to this
 * one and of those before it; so the leaves of a key sum to the key, each column sums to the mean
 * length, rounded down, and the differences to the difference of these two.
 */
#pragma once

#include "tail_answer.h"

/* Finds which units are far: `part`: so many of the longest; 0: those beyond the fence. */
void tail_answer_init(struct tail_answer *answer, const struct tail_units *units, double part);
/* From what length on a key of that length may matter to any far unit: what has less is not worth a
   look at who had the CPU. */
nsec_t tail_answer_least(const struct tail_answer *answer);
/* Finds the reasons and the profile; call once, when the keys are final. Without far units there
   are none. */
void tail_answer_find(struct tail_answer *answer);
void tail_answer_release(struct tail_answer *answer);
