/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each task waited for in slices (graph/sliced_wait.h), summed up: for the sentence of the
 * summary, and for the task's longest wait. It is gathered slice by slice from the history, which
 * need not be complete at any one time. There is one struct for each task that has waits in slices.
 */
#pragma once

#include "base/data/map.h"
#include "graph/sliced_wait.h"

/* The sums of one task. Causes are copies, which outlive the history. */
struct slice_sum {
	uint32_t track;
	nsec_t waiting; /* time in slices and in the waits that ended them */
	nsec_t inferred; /* the part in slices, whose cause is an inference */
	nsec_t most;    /* the longest slice */
	uint64_t count; /* number of both */
	nsec_t longest, longest_at; /* of the longest whole wait, without the running time in
	                               between */
	uint64_t longest_count;     /* number of slices of the longest wait */
	struct cause_note cause;    /* cause of the longest wait */
	bool is_answered; /* the longest wait was answered */
	bool is_alike;    /* all waits had the same cause */
};

struct slice_sums {
	struct slice_sum *sum;
	size_t count, capacity;
	struct map by_track;
};

void slice_sums_init(struct slice_sums *sums);
void slice_sums_release(struct slice_sums *sums);
/* Adds [begin, end), which is a slice of the wait, or the wait that ended it. is_whole: the window
   does not cut the wait, so it may be the longest. */
void slice_sums_add(struct slice_sums *sums, const struct sliced_wait *wait, nsec_t begin,
                    nsec_t end, bool is_whole);
/* The sums of the track; NULL: it had no waits in slices. */
const struct slice_sum *slice_sums_of(const struct slice_sums *sums, uint32_t track);
