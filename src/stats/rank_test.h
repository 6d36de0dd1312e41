/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether two samples differ, by the ranks of their values alone: no distribution is assumed, and
 * an outlier counts no more than any largest value. Samples are of independent units (runs, not
 * slices of one run), in any order, which changes no result. All functions are deterministic.
 *
 * Sources: Mann and Whitney 1947; for ties and the interval Hollander and Wolfe, Nonparametric
 * Statistical Methods (1973), chapter 4; Holm 1979. The figures are those of R's wilcox.test() and
 * p.adjust(); with ties in small samples those of its package coin, wilcox_test(distribution =
 * "exact").
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The most values on both sides together for which p is exact; beyond, it is that of the normal
   distribution, with a correction for ties and for continuity. */
#define RANK_EXACT_MOST 20

/* Values are finite; none on a side: count is 0. */
struct sample {
	const double *value;
	size_t count;
};

/* 0 if there is no value. */
double sample_median(struct sample sample);
double sample_mean(struct sample sample);
/* The least value that at least the part `part` of all values, above 0, does not exceed: of fewer
   than 100 values the part 0.99 is the largest. 0 if there is no value. */
double sample_quantile(struct sample sample, double part);

/* By how much the values of one sample are larger than those of the other: the median of all
   differences, and the interval that has it in at least 95 % of the cases. */
struct rank_shift {
	double shift;
	bool has_interval; /* false: the samples are too small for one */
	double low, high;
};

/* How likely at least such a difference is, in either direction, if both samples are of one kind.
   1 if a side is empty. O(n log n) time, O(n) memory. */
double rank_test_p(struct sample old, struct sample new);
/* How much more often a new value is above an old one than below it, from -1 to 1: the direction of
   the difference that rank_test_p() is about, also where rank_shift_of() is 0 as most values are
   equal. 0 if a side is empty. O(n log n) time, O(n) memory. */
double rank_dominance(struct sample old, struct sample new);
/* The smallest p that samples of these sizes can have. */
double rank_test_least_p(size_t old_count, size_t new_count);
/* The shift from old to new (Hodges and Lehmann). 0 without an interval if a side is empty.
   O(n log n) time, O(n) memory: the differences of all pairs are not kept, but counted, at most 64
   times for each of the four that are looked up. */
struct rank_shift rank_shift_of(struct sample old, struct sample new);
/* Makes p values of `count` questions that were asked at once comparable with one level: after it,
   the chance that any of those below the level is below it by chance alone is at most that level.
   In place. */
void holm_adjust(double *p, size_t count);
