/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who ended the waits at what nobody has: whose end was waited for, who signalled a condition, who
 * came last to a barrier. There many waits end at once: it is counted how often one came last while
 * the same other waited, so that as many waits are one time.
 */
#pragma once

#include "ftwait/report.h"
#include "lock_list.h"

/* What it takes from a lock's row: its shares, of those who are asked for. */
struct lock_ending {
	uint32_t line;
	uint64_t count;
	nsec_t waited; /* by those whose waits it ended */
};

/* Most often first; the caller frees. *ret_all counts all of them, and those that nobody is known
   to have ended. */
struct lock_ending *lock_endings(const struct lock_share *const *share, size_t share_count,
                                 enum lock_kind kind, size_t *ret_count, uint64_t *ret_all);
