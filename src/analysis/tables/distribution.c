/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "distribution.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"

#define BITS 3 /* highest bits of a value, below its first 1, that select its bucket */
#define SPLIT (1u << BITS)
/* An element of `bucket` has the number of its values in the lower COUNT_BITS, and the number of
   the bucket in the bits above. */
#define COUNT_BITS 54

static unsigned highest_bit(nsec_t value)
{
	return 63 - (unsigned)__builtin_clzll(value);
}

static uint32_t bucket_number(uint64_t bucket)
{
	return (uint32_t)(bucket >> COUNT_BITS);
}

static uint64_t bucket_count(uint64_t bucket)
{
	return bucket & ((UINT64_C(1) << COUNT_BITS) - 1);
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

static void bucket_add(struct distribution *distribution, uint32_t number, uint64_t count)
{
	uint64_t empty = (uint64_t)number << COUNT_BITS;
	size_t at = distribution->bucket_count
	                    ? (size_t)number - bucket_number(distribution->bucket[0]) : 0;

	/* most buckets around the values have some, so this is mostly its place */
	if (at >= distribution->bucket_count || bucket_number(distribution->bucket[at]) != number)
		at = array_lower_bound_u64(distribution->bucket, distribution->bucket_count,
		                           sizeof(*distribution->bucket), empty);
	if (at == distribution->bucket_count || bucket_number(distribution->bucket[at]) != number) {
		ARRAY_GROW_FROM(distribution->bucket, distribution->bucket_count,
		                distribution->bucket_capacity, 4);
		memmove(distribution->bucket + at + 1, distribution->bucket + at,
		        (distribution->bucket_count - at) * sizeof(*distribution->bucket));
		distribution->bucket[at] = empty;
		distribution->bucket_count++;
	}
	distribution->bucket[at] += count;
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
	if (more->count == 0)
		return;
	for (uint32_t i = 0; i < more->bucket_count; i++)
		bucket_add(distribution, bucket_number(more->bucket[i]),
		           bucket_count(more->bucket[i]));
	distribution_count(distribution, more);
}

/* The least value that at least `hundredths` percent of all values do not exceed, within the
   precision of its bucket. */
static nsec_t percentile(const struct distribution *distribution, unsigned hundredths)
{
	uint64_t count = distribution->count, below = 0;
	uint64_t rank = count / 100 * hundredths + (count % 100 * hundredths + 99) / 100;

	for (uint32_t i = 0; i < distribution->bucket_count; i++) {
		uint32_t number = bucket_number(distribution->bucket[i]);
		nsec_t middle = bucket_from(number) + bucket_width(number) / 2;

		below += bucket_count(distribution->bucket[i]);
		if (below < rank)
			continue;
		return nsec_max(distribution->min, nsec_min(distribution->max, middle));
	}
	return distribution->max;
}

/* The bars of the histogram are [0,1), then one for each power of two: [1,2) [2,4) [4,8) ... */
static void histogram_fill(const struct distribution *distribution, struct distribution_sum *ret)
{
	for (uint32_t i = 0; i < distribution->bucket_count; i++) {
		nsec_t from = bucket_from(bucket_number(distribution->bucket[i]));
		uint64_t count = bucket_count(distribution->bucket[i]);
		unsigned bit = from ? highest_bit(from) : 0;

		from = from ? (nsec_t)1 << bit : 0;
		if (ret->bucket_count && ret->bucket[ret->bucket_count - 1].from == from) {
			ret->bucket[ret->bucket_count - 1].count += count;
			continue;
		}
		assert(ret->bucket_count < ARRAY_SIZE(ret->bucket));
		ret->bucket[ret->bucket_count++] = (struct histogram_bucket){
			.from = from,
			.to = bit == 63 ? UINT64_MAX : from ? from << 1 : 1,
			.count = count,
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

/* `type`: of the values; without a key only text shows it, and without values only data. */
static void bars_show(const struct distribution *distribution, const char *key, const char *title,
                      enum cell_type type, const struct output *to)
{
	const unsigned shown_in = !key                   ? COLUMN_TEXT_ONLY
	                          : !distribution->count ? COLUMN_DATA_ONLY
	                                                 : 0;
	const struct column bars[] = {
		{"from", "FROM", type, shown_in},
		{"to", "TO", type, COLUMN_SPARE(1) | shown_in},
		{"count", "COUNT", CELL_COUNT, shown_in},
		{NULL, "DISTRIBUTION", CELL_TEXT, COLUMN_TEXT_ONLY | COLUMN_BAR | shown_in},
	};
	static const char stars[] = "****************************************";
	struct distribution_sum sum;
	uint64_t most = 1;

	_Static_assert(sizeof(stars) == BAR_WIDTH + 1, "the longest bar");
	distribution_sum(distribution, &sum);
	for (size_t i = 0; i < sum.bucket_count; i++)
		most = sum.bucket[i].count > most ? sum.bucket[i].count : most;
	output_table_begin(to, key, title, bars, ARRAY_SIZE(bars), /* is_single= */ false);
	for (size_t i = 0; i < sum.bucket_count; i++) {
		const struct histogram_bucket *bucket = &sum.bucket[i];
		double share = (double)bucket->count / (double)most;
		char bar[BAR_WIDTH + 3];

		(void)snprintf(bar, sizeof(bar), "|%-*.*s|", BAR_WIDTH,
		               (int)(share * BAR_WIDTH), stars);
		/* durations and counts are one member */
		output_row(to, (struct cell[]){
					{.type = type, .count = bucket->from},
					{.type = type, .count = bucket->to},
					{.type = CELL_COUNT, .count = bucket->count},
					{.type = CELL_TEXT, .text = bar},
				});
	}
	output_table_end(to);
}

void histogram_show_of(const struct distribution *distribution, const char *title,
                       const struct output *to)
{
	if (distribution->count)
		bars_show(distribution, NULL, title, CELL_DURATION, to);
}

void histogram_show_numbers(const struct distribution *distribution, const char *title,
                            const struct output *to)
{
	bars_show(distribution, "histogram", distribution->count ? title : NULL, CELL_COUNT, to);
}
