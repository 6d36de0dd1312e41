/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums by key, of which only the heaviest matter. If there are more than HEAVY_SUMS_MAX, the
 * lighter half is forgotten. So the sum of a key that comes in small pieces among very many other
 * keys may be too low, but never too high. An element begins with a struct heavy_sum and may be
 * larger; its other members are kept and forgotten along with the sum. O(1) amortised; memory for
 * HEAVY_SUMS_MAX elements.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/data/map.h"
#include "ftwait/nsec.h"

#define HEAVY_SUMS_MAX 2048

struct heavy_sum {
	uint64_t key;
	nsec_t total;
	uint64_t count, extra; /* extra: a second sum, for the caller's use */
};

struct heavy_sums {
	void *element; /* `count` elements, unordered */
	size_t element_bytes, count;
	struct map by_key;
};

/* element_bytes: size of an element, which begins with a struct heavy_sum. */
void heavy_sums_init(struct heavy_sums *sums, size_t element_bytes);
void heavy_sums_release(struct heavy_sums *sums);
static inline struct heavy_sum *heavy_sums_at(const struct heavy_sums *sums, size_t index)
{
	return (void *)((char *)sums->element + index * sums->element_bytes);
}
/* The element of the key; if there is none, makes one of zeroes. Valid until the next call. */
struct heavy_sum *heavy_sums_of(struct heavy_sums *sums, uint64_t key);
/* Adds `more` to the sum of its key. */
void heavy_sums_add(struct heavy_sums *sums, const struct heavy_sum *more);
