/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "distribution.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"

#define BITS 3 /* highest bits of a value, below its first 1, that select its bucket */
#define SPLIT (1u << BITS)
/* Up to this many buckets with values, a linear search is as fast as an index. */
#define FEW      16
#define FEW_STEP 4

static unsigned highest_bit(nsec_t value)
{
	return 63 - (unsigned)__builtin_clzll(value);
}

static uint32_t distribution_bucket_of(nsec_t value)
{
	unsigned shift;

	if (value < SPLIT)
		return (uint32_t)value;
	shift = highest_bit(value) - BITS;
	return shift * SPLIT + (uint32_t)(value >> shift);
}

/* The least value in the bucket. The end of the last bucket, 2^64, has 65 bits and does not fit. */
static nsec_t bucket_from(uint32_t bucket)
{
	unsigned shift = bucket < 2 * SPLIT ? 0 : bucket / SPLIT - 1;

	return (nsec_t)(bucket - shift * SPLIT) << shift;
}

static nsec_t bucket_width(uint32_t bucket)
{
	return (nsec_t)1 << (bucket < 2 * SPLIT ? 0 : bucket / SPLIT - 1);
}

void distribution_release(struct distribution *distribution)
{
	free(distribution->bucket);
	*distribution = (struct distribution){0};
}

/* Grows the array by steps of a power of two, as most distributions need few buckets. */
static void wide_grow(struct distribution *distribution, uint32_t number)
{
	uint32_t count = (number / SPLIT + 1) * SPLIT;

	distribution->bucket = xreallocarray(distribution->bucket, count,
	                                     sizeof(*distribution->bucket));
	memset(distribution->bucket + distribution->bucket_count, 0,
	       (count - distribution->bucket_count) * sizeof(*distribution->bucket));
	distribution->bucket_count = count;
}

static void wide_add(struct distribution *distribution, uint32_t number, uint64_t count)
{
	if (number >= distribution->bucket_count)
		wide_grow(distribution, number);
	distribution->bucket[number] += count;
}

/* Changes to an array of all buckets: the sparse form has no room for more. */
static void distribution_widen(struct distribution *distribution)
{
	struct bucket_few *few = distribution->few;
	uint32_t count = distribution->bucket_count;

	distribution->is_wide = true;
	distribution->bucket = NULL;
	distribution->bucket_count = 0;
	for (uint32_t i = 0; i < count; i++)
		wide_add(distribution, few[i].number, few[i].count);
	free(few);
}

/* Inserts an empty bucket at that index. */
static void few_insert(struct distribution *distribution, uint32_t at, uint32_t number)
{
	uint32_t count = distribution->bucket_count++;

	if (count % FEW_STEP == 0)
		distribution->few = xreallocarray(distribution->few, count + FEW_STEP,
		                                  sizeof(*distribution->few));
	memmove(distribution->few + at + 1, distribution->few + at,
	        (count - at) * sizeof(*distribution->few));
	distribution->few[at] = (struct bucket_few){.number = number};
}

/* Returns false if there is no room. */
static bool few_add(struct distribution *distribution, uint32_t number, uint64_t count)
{
	uint32_t at = 0;

	while (at < distribution->bucket_count && distribution->few[at].number < number)
		at++;
	if (at == distribution->bucket_count || distribution->few[at].number != number) {
		if (distribution->bucket_count == FEW)
			return false;
		few_insert(distribution, at, number);
	}
	if (count > UINT32_MAX - distribution->few[at].count)
		return false;
	distribution->few[at].count += (uint32_t)count;
	return true;
}

static void bucket_add(struct distribution *distribution, uint32_t number, uint64_t count)
{
	if (!distribution->is_wide) {
		if (few_add(distribution, number, count))
			return;
		distribution_widen(distribution);
	}
	wide_add(distribution, number, count);
}

struct bucket {
	uint32_t number;
	uint64_t count;
};

/* Finds the next bucket with values, in order; *at is 0 before the first call. Returns false after
   the last bucket. */
static bool bucket_next(const struct distribution *distribution, uint32_t *at, struct bucket *ret)
{
	for (; *at < distribution->bucket_count; ++*at) {
		*ret = distribution->is_wide
		               ? (struct bucket){*at, distribution->bucket[*at]}
		               : (struct bucket){distribution->few[*at].number,
		                                 distribution->few[*at].count};
		if (ret->count == 0)
			continue;
		++*at;
		return true;
	}
	return false;
}

/* Adds all but the buckets. */
static void distribution_count(struct distribution *distribution, const struct distribution *more)
{
	if (distribution->count == 0 || more->min < distribution->min)
		distribution->min = more->min;
	if (distribution->count == 0 || more->max > distribution->max) {
		distribution->max = more->max;
		distribution->max_at = more->max_at;
	}
	distribution->count += more->count;
	distribution->total = more->total > UINT64_MAX - distribution->total
	                              ? UINT64_MAX
	                              : distribution->total + more->total;
}

void distribution_add(struct distribution *distribution, nsec_t value, nsec_t at)
{
	bucket_add(distribution, distribution_bucket_of(value), 1);
	distribution_count(distribution, &(struct distribution){
		.count = 1, .total = value, .min = value, .max = value, .max_at = at});
}

void distribution_merge(struct distribution *distribution, const struct distribution *more)
{
	struct bucket bucket;
	uint32_t at = 0;

	if (more->count == 0)
		return;
	while (bucket_next(more, &at, &bucket))
		bucket_add(distribution, bucket.number, bucket.count);
	distribution_count(distribution, more);
}

/* The least value that at least `hundredths` percent of all values do not exceed, within the
   precision of its bucket. */
static nsec_t percentile(const struct distribution *distribution, unsigned hundredths)
{
	uint64_t count = distribution->count, below = 0;
	uint64_t rank = count / 100 * hundredths + (count % 100 * hundredths + 99) / 100;
	struct bucket bucket;
	uint32_t at = 0;
	nsec_t middle;

	while (bucket_next(distribution, &at, &bucket)) {
		below += bucket.count;
		if (below < rank)
			continue;
		middle = bucket_from(bucket.number) + bucket_width(bucket.number) / 2;
		return nsec_max(distribution->min, nsec_min(distribution->max, middle));
	}
	return distribution->max;
}

/* The bars of the histogram are [0,1), then one for each power of two: [1,2) [2,4) [4,8) ... */
static void histogram_fill(const struct distribution *distribution, struct distribution_sum *ret)
{
	struct bucket bucket;
	uint32_t at = 0;

	while (bucket_next(distribution, &at, &bucket)) {
		nsec_t from = bucket_from(bucket.number);
		unsigned bit = from ? highest_bit(from) : 0;

		from = from ? (nsec_t)1 << bit : 0;
		if (ret->bucket_count && ret->bucket[ret->bucket_count - 1].from == from) {
			ret->bucket[ret->bucket_count - 1].count += bucket.count;
			continue;
		}
		assert(ret->bucket_count < ARRAY_SIZE(ret->bucket));
		ret->bucket[ret->bucket_count++] = (struct histogram_bucket){
			.from = from,
			.to = bit == 63 ? UINT64_MAX : from ? from << 1 : 1,
			.count = bucket.count,
		};
	}
}

void distribution_sum(const struct distribution *distribution, struct distribution_sum *ret)
{
	*ret = (struct distribution_sum){
		.count = distribution->count,
		.total = distribution->total,
		.min = distribution->min,
		.p50 = percentile(distribution, 50),
		.p90 = percentile(distribution, 90),
		.p99 = percentile(distribution, 99),
		.max = distribution->max,
		.max_at = distribution->max_at,
	};
	histogram_fill(distribution, ret);
}

#define BAR_WIDTH 40

void histogram_show_of(const struct distribution *distribution, const char *title,
                       const struct output *to)
{
	static const struct column bars[] = {
		{NULL, "FROM", CELL_DURATION, COLUMN_TEXT_ONLY},
		{NULL, "TO", CELL_DURATION, COLUMN_TEXT_ONLY | COLUMN_SPARE(1)},
		{NULL, "COUNT", CELL_COUNT, COLUMN_TEXT_ONLY},
		{NULL, "DISTRIBUTION", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_BAR},
	};
	static const char stars[] = "****************************************";
	struct distribution_sum sum;
	uint64_t most = 1;

	_Static_assert(sizeof(stars) == BAR_WIDTH + 1, "the longest bar");
	distribution_sum(distribution, &sum);
	if (sum.count == 0)
		return;
	for (size_t i = 0; i < sum.bucket_count; i++)
		most = sum.bucket[i].count > most ? sum.bucket[i].count : most;
	output_table_begin(to, NULL, title, bars, ARRAY_SIZE(bars), /* is_single= */ false);
	for (size_t i = 0; i < sum.bucket_count; i++) {
		const struct histogram_bucket *bucket = &sum.bucket[i];
		double share = (double)bucket->count / (double)most;
		char bar[BAR_WIDTH + 3];

		(void)snprintf(bar, sizeof(bar), "|%-*.*s|", BAR_WIDTH,
		               (int)(share * BAR_WIDTH), stars);
		output_row(to, (struct cell[]){
					{.type = CELL_DURATION, .time = bucket->from},
					{.type = CELL_DURATION, .time = bucket->to},
					{.type = CELL_COUNT, .count = bucket->count},
					{.type = CELL_TEXT, .text = bar},
				});
	}
	output_table_end(to);
}
