/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Durations, of which the values themselves are not kept: O(1) a value, at most 4 KB; 8 bytes for
 * each bucket that has any, where these are few. Each power of
 * two is divided into eight buckets of one width, so that a percentile, told as the middle of the
 * bucket that it lies in, is wrong by a sixteenth at most; below 16 ns, and where all values are
 * the same, it is exact.
 *
 *	value    8  9 10 11 12 13 14 15 16   18   20   22   24   26   28   30   32     36
 *	bucket   8  9 10 11 12 13 14 15 16-- 17-- 18-- 19-- 20-- 21-- 22-- 23-- 24---- 25-
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"
#include "ftwait/report.h"

/* A bucket with what is in it. */
struct bucket_few {
	uint32_t number, count;
};

struct distribution {
	uint64_t count;
	nsec_t total; /* at most UINT64_MAX */
	nsec_t min, max, max_at;
	union {
		uint64_t *bucket;       /* by number: how many values are in it */
		struct bucket_few *few; /* those that have any, by number */
	};
	uint32_t bucket_count; /* of either */
	bool is_wide;          /* the first */
};

/* All zero is an empty one. */
void distribution_release(struct distribution *distribution);
/* `at` is an instant in it. Of several longest ones the first added counts. */
void distribution_add(struct distribution *distribution, nsec_t value, nsec_t at);
/* As if all of `more` had been added to it. */
void distribution_merge(struct distribution *distribution, const struct distribution *more);
/* For a cell; of an empty one all is zero. */
void distribution_sum(const struct distribution *distribution, struct distribution_sum *ret);
