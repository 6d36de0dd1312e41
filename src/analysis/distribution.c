/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "distribution.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/xalloc.h"

#define BITS 3 /* of a value below its highest one, that tell its bucket */
#define SPLIT (1u << BITS)

static unsigned highest_bit(nsec_t value)
{
	return 63 - (unsigned)__builtin_clzll(value);
}

static uint32_t bucket_of(nsec_t value)
{
	unsigned shift;

	if (value < SPLIT)
		return (uint32_t)value;
	shift = highest_bit(value) - BITS;
	return shift * SPLIT + (uint32_t)(value >> shift);
}

/* The least value in it; the one behind the last bucket of all would need 65 bits. */
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

/* In steps of a power of two: most hold few. */
static void distribution_grow(struct distribution *distribution, uint32_t bucket)
{
	uint32_t count = (bucket / SPLIT + 1) * SPLIT;

	distribution->bucket = xreallocarray(distribution->bucket, count,
	                                     sizeof(*distribution->bucket));
	memset(distribution->bucket + distribution->bucket_count, 0,
	       (count - distribution->bucket_count) * sizeof(*distribution->bucket));
	distribution->bucket_count = count;
}

void distribution_add(struct distribution *distribution, nsec_t value, nsec_t at)
{
	uint32_t bucket = bucket_of(value);

	if (bucket >= distribution->bucket_count)
		distribution_grow(distribution, bucket);
	distribution->bucket[bucket]++;
	if (distribution->count == 0 || value < distribution->min)
		distribution->min = value;
	if (distribution->count == 0 || value > distribution->max) {
		distribution->max = value;
		distribution->max_at = at;
	}
	distribution->count++;
	distribution->total = value > UINT64_MAX - distribution->total
	                              ? UINT64_MAX
	                              : distribution->total + value;
}

void distribution_merge(struct distribution *distribution, const struct distribution *more)
{
	if (more->count == 0)
		return;
	if (more->bucket_count > distribution->bucket_count)
		distribution_grow(distribution, more->bucket_count - 1);
	for (uint32_t bucket = 0; bucket < more->bucket_count; bucket++)
		distribution->bucket[bucket] += more->bucket[bucket];
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

/* The least value that so many hundredths of all do not exceed, as near as the bucket tells. */
static nsec_t percentile(const struct distribution *distribution, unsigned hundredths)
{
	uint64_t count = distribution->count, below = 0;
	uint64_t rank = count / 100 * hundredths + (count % 100 * hundredths + 99) / 100;
	nsec_t middle;

	for (uint32_t bucket = 0; bucket < distribution->bucket_count; bucket++) {
		below += distribution->bucket[bucket];
		if (below < rank)
			continue;
		middle = bucket_from(bucket) + bucket_width(bucket) / 2;
		return nsec_max(distribution->min, nsec_min(distribution->max, middle));
	}
	return distribution->max;
}

/* From 0, then of powers of two: [0,1) [1,2) [2,4) [4,8) ... */
static void histogram_fill(const struct distribution *distribution, struct distribution_sum *ret)
{
	for (uint32_t at = 0; at < distribution->bucket_count; at++) {
		uint64_t count = distribution->bucket[at];
		nsec_t from = bucket_from(at);
		unsigned bit = from ? highest_bit(from) : 0;

		if (count == 0)
			continue;
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
