/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a futex is that tasks sleep at: the kernel does not know, but the calls of those who sleep
 * there and of those who wake them tell it, by how C libraries and runtimes make use of it.
 *
 *	lock       slept for in the value 2 (glibc, bionic, Rust, older Go), in one of a tid or 16
 *	           with the bit for waiters (musl, robust mutexes), as a rwlock of glibc, or by a PI
 *	           call; who unlocks it wakes one. Or who wakes one has slept there before himself
 *	join       the word of a thread's tid, which the kernel clears when that ends
 *	condition  slept at with FUTEX_WAIT_BITSET and a clock (glibc, bionic: condition variables,
 *	           semaphores), by tasks that are woken or moved on by who has never slept there
 *	barrier    slept at with FUTEX_WAIT, until one wakes them all, each time in another value
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"

enum futex_kind {
	FUTEX_KIND_UNKNOWN, /* its calls do not tell */
	FUTEX_KIND_LOCK,
	FUTEX_KIND_JOIN,
	FUTEX_KIND_CONDITION,
	FUTEX_KIND_BARRIER,
};

/* What the calls of one wait tell; they are kept in lock.flags of the wait's cause. */
enum futex_sign {
	FUTEX_SLEPT = 1u << 0,       /* how it was slept at is known */
	FUTEX_LOCKED = 1u << 1,      /* in a value or by a call of locks */
	FUTEX_PLAIN = 1u << 2,       /* by FUTEX_WAIT */
	FUTEX_CONDITIONAL = 1u << 3, /* as at conditions and semaphores */
	FUTEX_ZERO = 1u << 4,        /* in the value 0 */
	FUTEX_WOKEN_ONE = 1u << 5,   /* by a call that wakes one at most */
	FUTEX_WOKEN_ALL = 1u << 6,
	FUTEX_MOVED = 1u << 7,       /* by one that may move sleepers to another futex */
	FUTEX_HAD = 1u << 8,         /* who woke has slept there himself, and was woken */
	FUTEX_ENDED = 1u << 9,       /* by the end of a thread; or it is to be */
};

/* The value of FUTEX_* operations, without flags. */
#define FUTEX_OP_MASK 0x7f

/* Of a call to sleep; where a plain 2 may be anything else (musl) that is no sign of a lock. */
uint32_t futex_signs_of_sleep(uint64_t op, uint32_t value, bool has_timeout, bool is_two_locked);
/* Of a call that wakes up to `count`. */
uint32_t futex_signs_of_wake(uint64_t op, uint64_t count);
/* As far as one wait tells. */
enum futex_kind futex_kind_of(uint32_t signs);
/* "futex" of locks and of what is not known, "join", "condition", "barrier". */
const char *futex_kind_name(enum futex_kind kind);

/* Of all waits at one futex; all zero at first. */
struct futex_tally {
	uint32_t waits, slept, zero; /* slept: of them with FUTEX_SLEPT */
	uint32_t locked, moved, conditional, had;
	uint32_t all, all_had; /* ended by one who woke all */
	uint32_t rounds;
	nsec_t round_end; /* when the first one of the present round was woken */
};

/* In order of their ends; true where the wait is the first of a round: none of it had begun when
   the one before was woken. */
bool futex_tally_add(struct futex_tally *tally, uint32_t signs, nsec_t begin, nsec_t end);
enum futex_kind futex_tally_kind(const struct futex_tally *tally);
