/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A contention for a lock, as events or the wait for a futex tell of it, and what the lock is
 * called. Of a futex that is a lock (words/futex_kind.h) who woke the sleeper is taken for who let
 * go of it.
 */
#pragma once

#include "base/buffer.h"
#include "graph/interval.h"
#include "graph/timeline.h"
#include "lock_list.h"

/* Of a futex's wait: it may have been at another one first, from which it was moved. */
#define LOCK_SPAN_INTERVALS 2

/* Whether the span of a wait stands for intervals of INTERVAL_LOCK. Inline: most stand for none. */
static inline bool span_has_lock_intervals(const struct span *span)
{
	const struct cause_note *cause = span->cause;

	return span->kind == SEGMENT_WAIT && cause &&
	       (cause->kind == CAUSE_TASK || cause->kind == CAUSE_UNKNOWN) &&
	       cause->as.lock.address != 0;
}
/* Which these are; returns how many. */
size_t lock_intervals_of_span(const struct span *span,
                              struct interval ret[LOCK_SPAN_INTERVALS]);
/* Of such an interval, or one of the machine's. */
struct contention lock_contention_of(const struct timeline *timeline,
                                     const struct interval *interval);
/* Of INTERVAL_LOCK and INTERVAL_TENURE. */
struct lock lock_of_interval(const struct interval *interval);
/* Of INTERVAL_TENURE. */
struct lock_tenure lock_tenure_of(const struct interval *interval);
bool lock_is_of_file(const struct lock *lock);
/* "0xffff8880"; of a file "254,0:1234", the inode. */
#define LOCK_ADDRESS_BYTES 64
char *lock_address_format(const struct lock *lock, char to[static LOCK_ADDRESS_BYTES]);
/* "mutex 0xffff8880", "futex 0x7f001000 of process 17", "flock 254,0:1234". */
void lock_append(struct buffer *to, const struct timeline *timeline, const struct lock *lock);
