/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The waiters or the owners of a lock, gathered from its shares that are asked for. */
#pragma once

#include "lock_list.h"

struct lock_party {
	uint32_t line; /* LINE_NONE: not known */
	uint64_t count;
	nsec_t total;
	nsec_t by_confidence[CONFIDENCE_HIGH + 1];
};

/* Most time first; owners without the time of unknown ones. The caller frees the array. */
struct lock_party *lock_parties(const struct lock_share *const *share, size_t share_count,
                                bool is_owners, size_t *ret_count);
/* The confidence of most of its time. */
enum confidence lock_party_confidence(const struct lock_party *party);
