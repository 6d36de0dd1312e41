/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A distribution of durations, which does not store single values. It takes 8 bytes for each bucket
 * with values, of which there are at most 496. Each power of two is divided into eight buckets of
 * equal width, so that a percentile, reported as the middle of its bucket, is wrong by a sixteenth
 * at most; below 16 ns, and where all values are the same, it is exact.
 *
 *	value    8  9 10 11 12 13 14 15 16   18   20   22   24   26   28   30   32     36
 *	bucket   8  9 10 11 12 13 14 15 16-- 17-- 18-- 19-- 20-- 21-- 22-- 23-- 24---- 25-
 */
#pragma once

#include <stdint.h>

#include "ftwait/report.h"

struct distribution {
	uint64_t count;
	nsec_t total; /* saturates at UINT64_MAX */
	nsec_t min, max, max_at;
	uint64_t *bucket; /* those with values, in order, each with how many these are */
	uint32_t bucket_count, bucket_capacity;
};

/* All zero: empty. */
void distribution_release(struct distribution *distribution);
/* `at`: an instant in the duration. It is kept for the longest duration; of equally long ones for
   the first. */
void distribution_add(struct distribution *distribution, nsec_t value, nsec_t at);
/* Adds all values of `more`. */
void distribution_merge(struct distribution *distribution, const struct distribution *more);
/* The figures for a cell; all zero if the distribution is empty. */
void distribution_sum(const struct distribution *distribution, struct distribution_sum *ret);

/* A distribution as bars, one for each power of two, in the style of bcc's tools. */

/* Shows the histogram as a table with that title, only in text; shows nothing if it is empty. */
void histogram_show_of(const struct distribution *distribution, const char *title,
                       const struct output *to);
/* The same for values that are plain numbers; in data it is the table "histogram", which may be
   empty. */
void histogram_show_numbers(const struct distribution *distribution, const char *title,
                            const struct output *to);
