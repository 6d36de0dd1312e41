/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A contention for a lock, as described by events or by the wait for a futex, and the name of the
 * lock. If a futex is a lock (futex_kind.h), the waker of a sleeper is assumed to be the
 * previous owner.
 */
#pragma once

#include "analysis/analysis.h"
#include "base/text/buffer.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"
#include "lock_list.h"

/* The wait for a futex may be two intervals, as the waiter may have been moved from another
   futex. */
#define LOCK_SPAN_INTERVALS 2

/* Whether intervals of INTERVAL_LOCK are to be made from the span of a wait. Inline, as most spans
   need none. */
static inline bool span_has_lock_intervals(const struct span *span)
{
	const struct cause_note *cause = span->cause;

	return span->kind == SEGMENT_WAIT && cause &&
	       (cause->kind == CAUSE_TASK || cause->kind == CAUSE_UNKNOWN) &&
	       cause->as.lock.address != 0;
}
/* Makes these intervals; returns their number. */
size_t lock_intervals_of_span(const struct span *span,
                              struct interval ret[LOCK_SPAN_INTERVALS]);
/* The contention of an interval that was made from a span, or that the machine emitted. */
struct contention lock_contention_of(const struct timeline *timeline,
                                     const struct interval *interval);
/* Cuts the interval of a contention to the window, or, where what ends within it counts, keeps it
   whole; false: no part of it counts. */
bool lock_contention_clip(const struct question *question, struct interval *interval);
/* For INTERVAL_LOCK and INTERVAL_TENURE. */
struct lock lock_of_interval(const struct timeline *timeline, const struct interval *interval);
/* For INTERVAL_TENURE. */
struct lock_tenure lock_tenure_of(const struct interval *interval);
bool lock_is_of_file(const struct lock *lock);
/* The id in names of the path of a locked file; 0: not known, or another lock. */
uint32_t lock_path(const struct timeline *timeline, const struct lock *lock);
/* "0xffff8880"; for a file "254,0:1234", with its inode. */
#define LOCK_ADDRESS_BYTES 64
char *lock_address_format(const struct timeline *timeline, const struct lock *lock,
                          char to[static LOCK_ADDRESS_BYTES]);
/* "mutex 0xffff8880", "futex 0x7f001000 of process 17", "flock 254,0:1234",
   "flock on /var/lib/x/lock"; of several machines "mutex db:0xffff8880". */
void lock_append(struct buffer *to, const struct timeline *timeline, const struct lock *lock);
