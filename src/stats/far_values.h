/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which values lie far above the others, and whether what they have in common is rare elsewhere.
 * Both go by counts and ranks: no distribution is assumed. All functions are deterministic.
 *
 * Sources: Tukey, Exploratory Data Analysis (1977), chapter 2: the outer fence; Fisher 1922: the
 * exact test of a table of four counts. The figures are those of R's fisher.test(alternative =
 * "greater"), and of quantile(type = 1).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A value beyond `fence` is far: it exceeds the upper quartile by more than three times what that
   exceeds the lower one. A quartile is the least value that so many do not exceed. */
struct quartiles {
	uint64_t low, median, high;
	uint64_t fence; /* saturates */
};

/* Puts the values into rising order. */
void values_sort(uint64_t *value, size_t count);
/* The values are in rising order. All 0 if there are none. */
struct quartiles quartiles_of(const uint64_t *sorted, size_t count);
/* The least value that at least `part` of them, above 0, do not exceed; 0 if there are none. */
uint64_t sorted_quantile(const uint64_t *sorted, size_t count, double part);

/* Of `all` units `far` are far, and `with` have something; `both` have it and are far. */
struct occurrence {
	size_t both, far, with, all;
};

/* How likely it is that at least so many are both, if having it and being far have nothing to do
   with each other. The counts must be possible ones; O(min(far, with)). */
double occurrence_p(const struct occurrence *occurrence);
