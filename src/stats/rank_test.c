/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rank_test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/order.h"
#include "base/xalloc.h"

/* Of the standard normal distribution: above it are 2.5 %. */
#define NORMAL_97_5 1.959963984540054
#define ONE_SIDE    0.025 /* of the interval of 95 % */

/* A value, and the side it is of. */
struct ranked {
	double value;
	bool is_new;
	size_t rank2;   /* twice its rank, which is the mean of the ranks of all equal values */
};

ORDER_FUNCTION(ranked_compare, struct ranked, RISING(x, y, value))

ORDER_FUNCTION(value_compare, double, (*x > *y) - (*x < *y))

/* Ranks all values of both samples. Returns the sum of t^3 - t over all sets of t equal values. */
static double rank_all(struct ranked *all, struct sample old, struct sample new)
{
	size_t count = old.count + new.count, end;
	double ties = 0;

	for (size_t i = 0; i < old.count; i++)
		all[i] = (struct ranked){.value = old.value[i]};
	for (size_t i = 0; i < new.count; i++)
		all[old.count + i] = (struct ranked){.value = new.value[i], .is_new = true};
	qsort(all, count, sizeof(*all), ranked_compare);
	for (size_t begin = 0; begin < count; begin = end) {
		double equal;

		for (end = begin; end < count && all[end].value <= all[begin].value; end++)
			;
		for (size_t i = begin; i < end; i++)
			all[i].rank2 = begin + 1 + end;
		equal = (double)(end - begin);
		ties += equal * equal * equal - equal;
	}
	return ties;
}

/*
 * Of all ways to choose `taken` of the values, which are all as likely if the samples are of one
 * kind: how many have which sum of ranks. From the first value on, each sum with one value less
 * gives one that is larger by the value's rank.
 */
struct rank_sums {
	uint32_t ways[RANK_EXACT_MOST + 1][RANK_EXACT_MOST * (RANK_EXACT_MOST + 1) + 1];
};

static void rank_sums_count(struct rank_sums *sums, const struct ranked *all, size_t count,
                            size_t taken)
{
	size_t most = 0; /* sum of the values so far */

	memset(sums, 0, sizeof(*sums));
	sums->ways[0][0] = 1;
	for (size_t i = 0; i < count; i++) {
		size_t chosen = i + 1 < taken ? i + 1 : taken;

		most += all[i].rank2;
		for (; chosen > 0; chosen--)
			for (size_t sum = most; sum >= all[i].rank2; sum--)
				sums->ways[chosen][sum] +=
					sums->ways[chosen - 1][sum - all[i].rank2];
	}
}

/* From both ends: how likely a sum at most, and at least, as large as that of the new values is. */
static double exact_p(const struct ranked *all, size_t count, size_t new_count, uint64_t sum2)
{
	_cleanup_(freep) struct rank_sums *sums = xmalloc(sizeof(*sums));
	double below = 0, above = 0, total = 0;

	rank_sums_count(sums, all, count, new_count);
	for (size_t sum = 0; sum <= count * (count + 1); sum++) {
		double ways = sums->ways[new_count][sum];

		total += ways;
		below += sum <= sum2 ? ways : 0;
		above += sum >= sum2 ? ways : 0;
	}
	return fmin(1, 2 * fmin(below, above) / total);
}

static double normal_p(size_t old_count, size_t new_count, double sum, double ties)
{
	double n = (double)old_count, m = (double)new_count, all = n + m;
	double distance = fabs(sum - m * (all + 1) / 2);
	double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));

	if (variance <= 0 || distance <= 0.5)
		return 1;
	return erfc((distance - 0.5) / sqrt(2 * variance));
}

/* Ranks all values of both samples, neither of which is empty. Returns twice the sum of the ranks
   of the new ones. */
static uint64_t rank_sum2(struct sample old, struct sample new, struct ranked *all,
                          double *ret_ties)
{
	uint64_t sum2 = 0;

	*ret_ties = rank_all(all, old, new);
	for (size_t i = 0; i < old.count + new.count; i++)
		sum2 += all[i].is_new ? all[i].rank2 : 0;
	return sum2;
}

double rank_test_p(struct sample old, struct sample new)
{
	size_t count = old.count + new.count;
	_cleanup_(freep) struct ranked *all = NULL;
	uint64_t sum2;
	double ties;

	if (old.count == 0 || new.count == 0)
		return 1;
	all = xcalloc(count, sizeof(*all));
	sum2 = rank_sum2(old, new, all, &ties);
	return count <= RANK_EXACT_MOST
	               ? exact_p(all, count, new.count, sum2)
	               : normal_p(old.count, new.count, (double)sum2 / 2, ties);
}

double rank_dominance(struct sample old, struct sample new)
{
	_cleanup_(freep) struct ranked *all = NULL;
	double n = (double)old.count, m = (double)new.count, ties, above;

	if (old.count == 0 || new.count == 0)
		return 0;
	all = xcalloc(old.count + new.count, sizeof(*all));
	/* Mann and Whitney's U: how many pairs have the new value above, equal ones half */
	above = (double)rank_sum2(old, new, all, &ties) / 2 - m * (m + 1) / 2;
	return 2 * above / (n * m) - 1;
}

double rank_test_least_p(size_t old_count, size_t new_count)
{
	double ways = 1;

	if (old_count == 0 || new_count == 0)
		return 1;
	for (size_t i = 1; i <= new_count; i++)
		ways *= (double)(old_count + i) / (double)i;
	return fmin(1, 2 / ways);
}

/*
 * How many of the smallest and of the largest differences lie outside of the interval: as many as
 * Mann and Whitney's U may be small in at most 2.5 % of the cases. 0: there is no interval, as the
 * smallest difference alone is more likely than that.
 */
static uint64_t differences_outside(size_t n, size_t m)
{
	struct ranked all[RANK_EXACT_MOST] = {0};
	_cleanup_(freep) struct rank_sums *sums = NULL;
	double outside, ways = 0, total = 0;
	size_t u = 0;

	if (n + m > RANK_EXACT_MOST) {
		double pairs = (double)n * (double)m;

		outside = floor(pairs / 2 -
		                NORMAL_97_5 * sqrt(pairs * ((double)n + (double)m + 1) / 12));
		return outside < 1 ? 0 : (uint64_t)outside;
	}
	for (size_t i = 0; i < n + m; i++)
		all[i].rank2 = 2 * (i + 1);
	sums = xmalloc(sizeof(*sums));
	rank_sums_count(sums, all, n + m, m);
	for (size_t sum = 0; sum <= (n + m) * (n + m + 1); sum++)
		total += sums->ways[m][sum];
	/* the smallest sum of ranks is m (m + 1) / 2, and U counts from there */
	for (;; u++) {
		ways += sums->ways[m][m * (m + 1) + 2 * u];
		if (ways / total > ONE_SIDE)
			return u;
	}
}

/* How many of the differences new - old are at most `limit`. Both samples are sorted. */
static uint64_t differences_until(struct sample old, struct sample new, double limit)
{
	uint64_t count = 0;
	size_t from = 0;

	for (size_t i = 0; i < new.count; i++) {
		while (from < old.count && new.value[i] - old.value[from] > limit)
			from++;
		count += old.count - from;
	}
	return count;
}

/* The finite doubles in order, as integers: halfway between two integers is a double between. */
static int64_t order_of(double value)
{
	int64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double value_of(int64_t order)
{
	int64_t bits = order < 0 ? INT64_MIN - order : order;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* The difference new - old before which, in order, are `rank` others: found by halving the range of
   all doubles, so that the differences need not be kept. Both samples are sorted. */
static double difference_at(struct sample old, struct sample new, uint64_t rank)
{
	int64_t low = order_of(new.value[0] - old.value[old.count - 1]);
	int64_t high = order_of(new.value[new.count - 1] - old.value[0]);

	while (low < high) {
		int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);

		if (differences_until(old, new, value_of(middle)) > rank)
			high = middle;
		else
			low = middle + 1;
	}
	return value_of(low);
}

static double *sorted_copy(struct sample *sample)
{
	double *copy = xcalloc(sample->count, sizeof(*copy));

	memcpy(copy, sample->value, sample->count * sizeof(*copy));
	qsort(copy, sample->count, sizeof(*copy), value_compare);
	sample->value = copy;
	return copy;
}

double sample_median(struct sample sample)
{
	_cleanup_(freep) double *copy = NULL;
	size_t middle = sample.count / 2;

	if (sample.count == 0)
		return 0;
	copy = sorted_copy(&sample);
	return sample.count % 2 ? copy[middle] : (copy[middle - 1] + copy[middle]) / 2;
}

double sample_quantile(struct sample sample, double part)
{
	_cleanup_(freep) double *copy = NULL;
	double rank = ceil(part * (double)sample.count);

	if (sample.count == 0)
		return 0;
	copy = sorted_copy(&sample);
	return copy[rank < 1 ? 0 : (size_t)fmin(rank, (double)sample.count) - 1];
}

double sample_mean(struct sample sample)
{
	double sum = 0;

	for (size_t i = 0; i < sample.count; i++)
		sum += sample.value[i];
	return sample.count ? sum / (double)sample.count : 0;
}

struct rank_shift rank_shift_of(struct sample old, struct sample new)
{
	_cleanup_(freep) double *old_copy = NULL, *new_copy = NULL;
	struct rank_shift ret = {0};
	uint64_t pairs = (uint64_t)old.count * new.count, outside;

	if (pairs == 0)
		return ret;
	old_copy = sorted_copy(&old);
	new_copy = sorted_copy(&new);
	ret.shift = difference_at(old, new, pairs / 2);
	if (pairs % 2 == 0)
		ret.shift = (ret.shift + difference_at(old, new, pairs / 2 - 1)) / 2;
	outside = differences_outside(old.count, new.count);
	if (outside == 0)
		return ret;
	ret.has_interval = true;
	ret.low = difference_at(old, new, outside - 1);
	ret.high = difference_at(old, new, pairs - outside);
	return ret;
}

/* A p value, and where it is from. */
struct placed {
	double p;
	size_t index;
};

ORDER_FUNCTION(placed_compare, struct placed, RISING(x, y, p))

void holm_adjust(double *p, size_t count)
{
	_cleanup_(freep) struct placed *order = xcalloc(count, sizeof(*order));
	double least = 0;

	for (size_t i = 0; i < count; i++)
		order[i] = (struct placed){p[i], i};
	qsort(order, count, sizeof(*order), placed_compare);
	for (size_t i = 0; i < count; i++) {
		least = fmax(least, fmin(1, order[i].p * (double)(count - i)));
		p[order[i].index] = least;
	}
}
