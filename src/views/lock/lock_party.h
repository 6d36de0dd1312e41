/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Those who waited for a lock, or who had it, out of the shares of it that are asked for. */
#pragma once

#include "lock_list.h"

struct lock_party {
	uint32_t line; /* LINE_NONE: not known */
	uint64_t count;
	nsec_t total;
	nsec_t by_confidence[CONFIDENCE_HIGH + 1];
};

/* Most time first, of owners without what nobody is known to have had; the caller frees. */
struct lock_party *lock_parties(const struct lock_share *const *share, size_t share_count,
                                bool is_owners, size_t *ret_count);
/* That of most of its time. */
enum confidence lock_party_confidence(const struct lock_party *party);
