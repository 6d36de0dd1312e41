/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums by key of which only the heaviest matter: of more than HEAVY_SUMS_MAX the lighter half is
 * forgotten. So one that comes in small pieces among very many others may be told as less than it
 * was, never as more. What else is kept of a key goes with its sum: elements may be larger than
 * one, which they begin with. O(1) amortised; memory for HEAVY_SUMS_MAX elements.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "ftwait/nsec.h"

#define HEAVY_SUMS_MAX 2048

struct heavy_sum {
	uint64_t key;
	nsec_t total;
	uint64_t count, extra; /* extra: whatever else is to be added up */
};

struct heavy_sums {
	void *element; /* count of them, in no order */
	size_t element_bytes, count;
	struct map by_key;
};

/* element_bytes: of a struct that begins with a struct heavy_sum. */
void heavy_sums_init(struct heavy_sums *sums, size_t element_bytes);
void heavy_sums_release(struct heavy_sums *sums);
static inline struct heavy_sum *heavy_sums_at(const struct heavy_sums *sums, size_t index)
{
	return (void *)((char *)sums->element + index * sums->element_bytes);
}
/* That of the key, made of zeroes where there was none. Valid until the next call. */
struct heavy_sum *heavy_sums_of(struct heavy_sums *sums, uint64_t key);
/* `more` is added to the sum of its key. */
void heavy_sums_add(struct heavy_sums *sums, const struct heavy_sum *more);
