/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contentions for locks, added up by lock, who waited, who had it, and how sure that is: so tasks
 * may be chosen when the trace has ended. About 260 bytes each of these, at most LOCK_SHARES_MAX,
 * and as many for each lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "ftwait/cause.h"
#include "ftwait/nsec.h"
#include "ftwait/report.h"
#include "graph/lock_kind.h"
#include "lock_tenures.h"
#include "words/futex_kind.h"

#define LOCK_SHARES_MAX (1u << 18)
#define LOCK_BUCKETS    40 /* powers of two of ns; the last takes all that is longer */

/* What tells a lock from others. */
struct lock {
	uint64_t address; /* of a file lock the number of the inode */
	int32_t process; /* of futex and join: the tgid, or -1; else 0 */
	uint32_t dev;    /* of a file lock; else 0 */
	uint8_t kind;    /* enum lock_kind */
	uint32_t name;   /* id: of the variable; 0: none; not what tells it */
};

struct lock_figures {
	uint64_t count, open; /* open: of them not got when the trace ended */
	nsec_t total, slept;  /* slept: of contentions that did not only spin */
	nsec_t max, max_at;
	uint32_t bucket[LOCK_BUCKETS];
};

/* What one task waited for one lock that another had. */
struct lock_share {
	uint32_t lock;          /* index */
	uint32_t waiter, owner; /* lines; LINE_NONE: not known */
	uint8_t confidence;     /* enum confidence, of the owner */
	/* of contentions that this owner ended */
	struct lock_figures figures;
	nsec_t owned; /* of the waiter's time what this owner had the lock in */
};

struct lock_list {
	struct lock *lock;
	struct lock_tenures *tenures; /* by lock */
	struct futex_tally *tally; /* by lock: of one that is a futex */
	size_t lock_count, lock_capacity, tenures_capacity, tally_capacity;
	struct lock_share *share;
	size_t share_count, share_capacity;
	struct map lock_by_hash, share_by_hash;
	struct map caller_by_address; /* of locks: name ids */
	uint64_t left_out; /* contentions beyond the limit */
};

struct contention {
	struct lock lock;
	uint32_t waiter, owner;
	uint8_t confidence;
	bool has_slept, is_open;
	uint32_t signs; /* of a futex: enum futex_sign */
	nsec_t begin, length;
};

/* Of what tells it from others. */
uint64_t lock_hash(const struct lock *lock);
/* Who had the lock while that one was waited for, as far as its end tells. */
struct lock_tenure lock_contention_tenure(const struct contention *contention);
/* Whether that holds for others who waited at that time, too. */
bool lock_contention_tells_tenure(const struct contention *contention);

void lock_list_init(struct lock_list *list);
void lock_list_release(struct lock_list *list);
void lock_list_add(struct lock_list *list, const struct contention *contention);
/* Who has had that lock, which those have waited for whose contentions end after that. */
void lock_list_add_tenure(struct lock_list *list, const struct lock *lock,
                          const struct lock_tenure *tenure);
/* A task slept for the lock at that place: who calls for it is taken down, the first one seen. */
void lock_list_note_place(struct lock_list *list, struct intern *names, uint64_t address,
                          uint32_t frames);
/* Of all that was added: a futex may turn out to be something else than a lock. */
enum lock_kind lock_list_kind(const struct lock_list *list, uint32_t lock);
/* Whether who ended a wait for that lock had it, as far as is known. */
bool lock_list_knows_owners(const struct lock_list *list, uint32_t lock);
/* Id in names of the function that wanted the lock; 0: not known. */
uint32_t lock_list_caller(const struct lock_list *list, uint64_t address);
/* By the kernel's LCB_F_*. */
void lock_figures_add(struct lock_figures *sum, const struct lock_figures *more);
/* For its histogram: no percentiles. */
void lock_figures_sum(const struct lock_figures *figures, struct distribution_sum *ret);
