/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "far_values.h"

#include <assert.h>
#include <math.h>

#include "base/data/array.h"
#include "base/data/order.h"

ORDER_FUNCTION(value_compare, uint64_t, (*x > *y) - (*x < *y))

void values_sort(uint64_t *value, size_t count)
{
	array_sort(value, count, sizeof(*value), value_compare);
}

uint64_t sorted_quantile(const uint64_t *sorted, size_t count, double part)
{
	double rank = ceil(part * (double)count);

	if (count == 0)
		return 0;
	return sorted[rank < 1 ? 0 : (size_t)fmin(rank, (double)count) - 1];
}

struct quartiles quartiles_of(const uint64_t *sorted, size_t count)
{
	struct quartiles ret = {
		.low = sorted_quantile(sorted, count, 0.25),
		.median = sorted_quantile(sorted, count, 0.5),
		.high = sorted_quantile(sorted, count, 0.75),
	};
	uint64_t width = ret.high - ret.low;

	assert(ret.low <= ret.median && ret.median <= ret.high);
	ret.fence = width > (UINT64_MAX - ret.high) / 3 ? UINT64_MAX : ret.high + 3 * width;
	return ret;
}

/* ln n!. Neither signgam of lgamma() nor its errors matter here: n is a count. */
static double log_factorial(size_t n)
{
	return lgamma((double)n + 1);
}

/* The logarithm of the number of ways to choose k of n. */
static double log_ways(size_t n, size_t k)
{
	assert(k <= n);
	return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

double occurrence_p(const struct occurrence *of)
{
	size_t most = of->far < of->with ? of->far : of->with;
	/* of the far ones so many must have it, as too few others could */
	size_t least = of->far + of->with > of->all ? of->far + of->with - of->all : 0;
	double all_ways = log_ways(of->all, of->far), sum = 0;

	assert(of->both <= most && of->far <= of->all && of->with <= of->all);
	if (of->both <= least)
		return 1;
	for (size_t both = of->both; both <= most; both++)
		sum += exp(log_ways(of->with, both) +
		           log_ways(of->all - of->with, of->far - both) - all_ways);
	return fmin(1, sum);
}
