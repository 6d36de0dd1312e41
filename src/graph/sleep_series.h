/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is common to series of sleeps: those of a poller (poll.h) and the slices of a wait
   (sliced_wait.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

/* A task does some work if it runs between two sleeps for longer than 1 / SERIES_RUN_PART of
   them. */
#define SERIES_RUN_PART 4
/* Between short sleeps it may run so long, which a look around takes. */
#define SERIES_RUN_LEAST 200000u /* ns */
/* For how long a task may run between sleeps of that length, and does nothing but look around. */
static inline nsec_t series_run_most(nsec_t length)
{
	return nsec_max(length / SERIES_RUN_PART, SERIES_RUN_LEAST);
}

/* At most one in SERIES_ACTS_PART sleeps may follow an act. */
#define SERIES_ACTS_PART 4

/* The interval of a series. */
struct series_stretch {
	uint32_t track;
	bool is_left; /* the track's history ends with it: it may go on */
	nsec_t begin, end;
};

/* The same as the first members of a larger struct: series.begin is begin. */
#define SERIES_STRETCH                                                                        \
	union {                                                                               \
		struct {                                                                      \
			uint32_t track;                                                       \
			bool is_left;                                                         \
			nsec_t begin, end;                                                    \
		};                                                                            \
		struct series_stretch series;                                                 \
	}

/* The series of a track among those of all tracks, in order of their times. */
struct series_range {
	uint32_t first, count; /* indices among those of all tracks */
	uint32_t hint;         /* where the last search ended, from `first` */
};

/* Series number `at` of all: structs of `bytes` that begin with SERIES_STRETCH. */
static inline const struct series_stretch *series_at(const void *all, size_t bytes, size_t at)
{
	return (const void *)((const char *)all + at * bytes);
}
/* The slow path of series_after(), if the last search does not answer. */
size_t series_search(const void *all, size_t bytes, struct series_range *range, nsec_t t);
/* Index, among all, of the track's first series that ends after t; SIZE_MAX: none. O(log n), O(1)
   if the last search found the same. t is not NSEC_NEVER. Inline: for all waits. */
static inline size_t series_after(const void *all, size_t bytes, struct series_range *range,
                                  nsec_t t)
{
	size_t at = range->first + (size_t)range->hint;

	if (range->hint >= range->count || series_at(all, bytes, at)->end <= t ||
	    (range->hint > 0 && series_at(all, bytes, at - 1)->end > t))
		return series_search(all, bytes, range, t);
	return at;
}
/* Index, among all, of the track's series that contains t; SIZE_MAX: none. */
static inline size_t series_around(const void *all, size_t bytes, struct series_range *range,
                                   nsec_t t)
{
	size_t at = series_after(all, bytes, range, t);

	return at != SIZE_MAX && series_at(all, bytes, at)->begin <= t ? at : SIZE_MAX;
}
/* Begin of the series that the track's history ends with; NSEC_NEVER: it ends with none. */
static inline nsec_t series_left_begin(const void *all, size_t bytes,
                                       const struct series_range *range)
{
	const struct series_stretch *last;

	if (range->count == 0)
		return NSEC_NEVER;
	last = series_at(all, bytes, range->first + (size_t)range->count - 1);
	return last->is_left ? last->begin : NSEC_NEVER;
}
/* Series number `at` of all belongs to the track; tracks come one after the other. */
static inline void series_range_add(struct series_range *range, size_t at)
{
	if (range->count++ == 0)
		range->first = (uint32_t)at;
}
