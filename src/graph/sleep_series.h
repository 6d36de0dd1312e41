/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is common to series of sleeps: those of a poller (poll.h) and the slices of a wait
   (sliced_wait.h). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

/* A task that runs for longer between two sleeps, in parts of them, does some work there. */
#define SERIES_RUN_PART 4
/* Of the sleeps one in so many may come after something was done. */
#define SERIES_ACTS_PART 4

/* Where one lies. */
struct series_stretch {
	uint32_t line;
	nsec_t begin, end;
};

/* The same as members of a larger struct: series.begin is begin. */
#define SERIES_STRETCH                                                                        \
	union {                                                                               \
		struct {                                                                      \
			uint32_t line;                                                        \
			nsec_t begin, end;                                                    \
		};                                                                            \
		struct series_stretch series;                                                 \
	}

/* Those of a line among the series of all lines, in order of their times. */
struct series_range {
	uint32_t first, count; /* indices of all */
	uint32_t hint;         /* where the last search ended, from `first` */
};

/* Series number `at` of all, which lie `bytes` from each other. */
static inline const struct series_stretch *series_at(const struct series_stretch *all,
                                                     size_t bytes, size_t at)
{
	return (const void *)((const char *)all + at * bytes);
}
/* What series_after() does where the last search says nothing. */
size_t series_search(const struct series_stretch *all, size_t bytes, struct series_range *range,
                     nsec_t t);
/* Index of all of the line's first series that ends after t; SIZE_MAX: none. O(log n), O(1) where
   the last search found the same. Inline: for all waits. */
static inline size_t series_after(const struct series_stretch *all, size_t bytes,
                                  struct series_range *range, nsec_t t)
{
	size_t at = range->first + (size_t)range->hint;

	if (range->hint >= range->count || series_at(all, bytes, at)->end <= t ||
	    (range->hint > 0 && series_at(all, bytes, at - 1)->end > t))
		return series_search(all, bytes, range, t);
	return at;
}
/* Another one, number `at` of all, is the line's; lines come one after the other. */
static inline void series_range_add(struct series_range *range, size_t at)
{
	if (range->count++ == 0)
		range->first = (uint32_t)at;
}
