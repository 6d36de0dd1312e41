/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What kinds of locks there are, and what they are called.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "graph/timeline/interval.h"

enum lock_kind {
	LOCK_SEMAPHORE,
	LOCK_MUTEX,
	LOCK_RWSEM,
	LOCK_RWLOCK,
	LOCK_SPINLOCK,
	LOCK_RTMUTEX,
	LOCK_PERCPU_RWSEM,
	LOCK_FUTEX,
	LOCK_FLOCK,
	LOCK_POSIX,
	LOCK_MMAP,
	/* of futexes, which have no holder; from here on none has */
	LOCK_JOIN,
	LOCK_CONDITION,
	LOCK_BARRIER,
	LOCK_POSTED,    /* a semaphore of a program */
	LOCK_SIGNALLED, /* a condition or a semaphore */
};

const char *lock_kind_name(enum lock_kind kind);
/* Whether a lock of that kind has a holder while others wait for it. */
bool lock_kind_has_owner(enum lock_kind kind);
/* The kind of a kernel lock, by the flags of its contention: LCB_F_*. */
enum lock_kind lock_kind_of(uint32_t flags);
enum lock_kind lock_kind_of_interval(const struct lock_interval *lock);
