/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a futex is that tasks sleep at: the kernel does not know, but the calls of its sleepers and
 * wakers show it, by the conventions of C libraries and runtimes.
 *
 *	lock       the value slept in is 2 (glibc, bionic, Rust, older Go), or a tid or 16 with
 *	           the bit for waiters (musl, robust mutexes), or that of a glibc rwlock, or the
 *	           call is a PI one; unlocking wakes one. Or the waker of one has slept there before
 *	join       the word of a thread's tid, which the kernel clears when that ends
 *	condition  slept at with FUTEX_WAIT_BITSET and a clock (glibc, bionic: condition
 *	           variables, semaphores), by tasks woken or requeued by one that never slept there
 *	barrier    slept at with FUTEX_WAIT, until one wakes them all, each time in another value
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"

enum futex_kind {
	FUTEX_KIND_UNKNOWN, /* its calls do not show it */
	FUTEX_KIND_LOCK,
	FUTEX_KIND_JOIN,
	FUTEX_KIND_CONDITION,
	FUTEX_KIND_BARRIER,
};

/* Evidence from the calls of one wait, kept in lock.flags of its cause. */
enum futex_sign {
	FUTEX_SLEPT = 1u << 0,       /* how the task slept is known */
	FUTEX_LOCKED = 1u << 1,      /* in a value or by a call used by locks */
	FUTEX_PLAIN = 1u << 2,       /* by FUTEX_WAIT */
	FUTEX_CONDITIONAL = 1u << 3, /* as conditions and semaphores do */
	FUTEX_ZERO = 1u << 4,        /* in the value 0 */
	FUTEX_WOKEN_ONE = 1u << 5,   /* by a call that wakes one at most */
	FUTEX_WOKEN_ALL = 1u << 6,
	FUTEX_MOVED = 1u << 7,       /* by a call that may requeue sleepers */
	FUTEX_WAKER_SLEPT = 1u << 8, /* the waker has slept there itself, and was woken */
	FUTEX_ENDED = 1u << 9,       /* by the end of a thread; or it is going to be */
};

/* The value of FUTEX_* operations, without flags. */
#define FUTEX_OP_MASK 0x7f

/* Signs of a call that sleeps. With is_two_locked false (musl) a plain 2 is no sign of a lock, as
   it may be anything. */
uint32_t futex_signs_of_sleep(uint64_t op, uint32_t value, bool has_timeout, bool is_two_locked);
/* Signs of a call that wakes up to `count`. */
uint32_t futex_signs_of_wake(uint64_t op, uint64_t count);
/* As far as one wait shows it. */
enum futex_kind futex_kind_of(uint32_t signs);
/* "futex" for locks and unknown ones, "join", "condition", "barrier". */
const char *futex_kind_name(enum futex_kind kind);

/* The sum of all waits at one futex; all zero at first. */
struct futex_tally {
	uint32_t waits, slept, zero; /* slept: of them with FUTEX_SLEPT */
	uint32_t locked, moved, conditional, waker_slept;
	uint32_t all, all_waker_slept; /* ended by a call that woke all */
	uint32_t rounds;
	nsec_t round_end; /* when the first one of the present round was woken */
};

/* Call in order of the waits' ends. True if the wait is the first of a round: all of the round
   began after the previous one was woken. */
bool futex_tally_add(struct futex_tally *tally, uint32_t signs, nsec_t begin, nsec_t end);
enum futex_kind futex_tally_kind(const struct futex_tally *tally);
