/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks that ended waits for objects without owners: the thread whose end was awaited, the
 * task that signalled a condition, the one that reached a barrier last. These end many waits at
 * once, so occasions are counted: how often a task came last while the same other task waited.
 */
#pragma once

#include "ftwait/report.h"
#include "lock_list.h"

/* What it needs of a lock's row: the shares of the asked tasks. */
struct lock_ending {
	uint32_t line;
	uint64_t count;
	nsec_t waited; /* time of those whose waits it ended */
};

/* Most often first; the caller frees the array. *ret_all sums up all of them, and the waits whose
   waker is not known. */
struct lock_ending *lock_endings(const struct lock_share *const *share, size_t share_count,
                                 enum lock_kind kind, size_t *ret_count, uint64_t *ret_all);
