/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums by key of which only the heaviest matter: of more than HEAVY_SUMS_MAX the lighter half is
 * forgotten. So one that comes in small pieces among very many others may be told as less than it
 * was, never as more. O(1) amortised; at most some 100 KB.
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
	struct heavy_sum *sum;
	size_t count;
	struct map by_key;
};

void heavy_sums_init(struct heavy_sums *sums);
void heavy_sums_release(struct heavy_sums *sums);
/* `more` is added to the sum of its key. */
void heavy_sums_add(struct heavy_sums *sums, const struct heavy_sum *more);
