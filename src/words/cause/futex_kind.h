/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The purpose of a futex. The kernel does not know it, but the calls of sleepers and wakers show
 * it, by the conventions of C libraries and runtimes.
 *
 *	lock       the value slept in is 2 (glibc, bionic, Rust, older Go), or a tid or 16 with
 *	           the bit for waiters (musl, robust mutexes), or that of a glibc rwlock, or the
 *	           call is a PI one; unlocking wakes one. Or the waker of one has slept there before
 *	join       the word of a thread's tid, which the kernel clears when that ends
 *	condition  slept at with FUTEX_WAIT_BITSET and a clock, as glibc and bionic do at condition
 *	           variables and at semaphores; and one of these signs that it is no semaphore: a
 *	           call woke or requeued all, the value that tasks sleep in counts up, the word
 *	           is the second one of 8 bytes or used beside that, or the sleeper unlocks a
 *	           mutex next for which it did not sleep: the condition had left it marked
 *	semaphore  slept at in the same way, and the same task sleeps there twice without having
 *	           unlocked that mutex
 *	barrier    slept at with FUTEX_WAIT, until one wakes them all, each time in another value.
 *	           One wait alone may also be for an event of C++ (a semaphore, a static variable's
 *	           initialization, std::atomic::wait) or pthread_once
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ftwait/nsec.h"

enum futex_kind {
	FUTEX_KIND_UNKNOWN, /* its calls do not show its purpose */
	FUTEX_KIND_LOCK,
	FUTEX_KIND_JOIN,
	FUTEX_KIND_CONDITION,
	FUTEX_KIND_BARRIER,
	FUTEX_KIND_SEMAPHORE,
	FUTEX_KIND_SIGNALLED, /* a condition or a semaphore */
	FUTEX_KIND_COUNT,
};

/* Evidence from the calls of one wait, kept in lock.flags of its cause. */
enum futex_sign {
	FUTEX_SLEPT = 1u << 0,       /* it is known by which call the task slept */
	FUTEX_LOCKED = 1u << 1,      /* the task slept in a value, or by a call, that locks use */
	FUTEX_PLAIN = 1u << 2,       /* by FUTEX_WAIT */
	FUTEX_CONDITIONAL = 1u << 3, /* the task slept as in conditions and semaphores */
	FUTEX_ZERO = 1u << 4,        /* the task slept in the value 0 */
	FUTEX_WOKEN_ONE = 1u << 5,   /* the waking call wakes at most one task */
	FUTEX_WOKEN_ALL = 1u << 6,
	FUTEX_MOVED = 1u << 7,       /* the waking call may requeue sleepers */
	FUTEX_WAKER_SLEPT = 1u << 8, /* the waker itself has slept at the futex, and was woken */
	FUTEX_ENDED = 1u << 9,       /* the end of a thread woke the task, or will wake it */
	/* the value slept in, or other calls (object_names.h), show which of both it is */
	FUTEX_OF_CONDITION = 1u << 10,
	FUTEX_OF_SEMAPHORE = 1u << 11,
};

/* The value of FUTEX_* operations, without flags. */
#define FUTEX_OP_MASK 0x7f

/* Operations, a flag of them, and parts of the word of a lock that has its owner in it, from the
   kernel's include/uapi/linux/futex.h. */
#define FUTEX_CALL_WAIT            0
#define FUTEX_CALL_REQUEUE         3
#define FUTEX_CALL_CMP_REQUEUE     4
#define FUTEX_CALL_WAKE_OP         5
#define FUTEX_CALL_LOCK_PI         6
#define FUTEX_CALL_WAIT_BITSET     9
#define FUTEX_CALL_WAIT_REQUEUE_PI 11
#define FUTEX_CALL_CMP_REQUEUE_PI  12
#define FUTEX_CALL_LOCK_PI2        13
#define FUTEX_FLAG_PRIVATE         0x80 /* in memory of the calling process alone */
#define FUTEX_FLAG_REALTIME        0x100
#define FUTEX_BIT_WAITERS          UINT32_C(0x80000000)
#define FUTEX_OWNER_MASK           UINT32_C(0x3fffffff)

/* Signs of a call that sleeps. is_two_locked: a plain value of 2 is the sign of a lock; false for
   musl, where 2 may mean anything. */
uint32_t futex_signs_of_sleep(uint64_t op, uint32_t value, bool has_timeout, bool is_two_locked);
/* Signs of a call that wakes at most `count` tasks. */
uint32_t futex_signs_of_wake(uint64_t op, uint64_t count);
/* The purpose, as far as the signs of one wait show it. */
enum futex_kind futex_kind_of(uint32_t signs);
/* "join", "condition", "barrier", "semaphore", "condition-or-semaphore"; "futex" for locks and for
   futexes of unknown purpose. */
const char *futex_kind_name(enum futex_kind kind);

/* Before the name of a program's variable, where that is the name of a cause of kind task. */
#define FUTEX_NAME_PREFIX "futex "

/* The sum of all waits at one futex; all zero at first. */
struct futex_tally {
	uint32_t waits, slept, zero; /* waits: number of all waits; slept: number of waits with
	                                FUTEX_SLEPT */
	uint32_t locked, moved, waker_slept;
	uint32_t conditional, of_condition, of_semaphore;
	uint32_t all, all_waker_slept; /* waits that a call ended that woke all sleepers */
	uint32_t rounds;
	nsec_t round_end; /* when the first sleeper of the present round was woken */
};

/* Call in order of the waits' ends. Returns true if the wait is the first of a round. All waits of
   a round began after the previous round was woken. */
bool futex_tally_add(struct futex_tally *tally, uint32_t signs, nsec_t begin, nsec_t end);
enum futex_kind futex_tally_kind(const struct futex_tally *tally);
