/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "futex_kind.h"

#define VALUE_CONTENDED 2
#define VALUE_RWLOCK    3 /* glibc: held by a writer, with sleepers */
#define OWNER_MAX       (UINT32_C(1) << 22) /* the kernel's largest tid */

/* Whether the value has an owner: a tid, or musl's 16, in addition to the bit for waiters. */
static bool value_is_owned(uint32_t value)
{
	return value & FUTEX_BIT_WAITERS && value & FUTEX_OWNER_MASK &&
	       (value & FUTEX_OWNER_MASK) <= OWNER_MAX;
}

/* Whether a sleep in that value is at a count of signals: semaphores have 0 (glibc), 1 (on 32-bit
   machines) or the two last ones (bionic; Rust's parked threads, too). */
static bool value_counts(uint32_t value)
{
	return value > 1 && value < UINT32_MAX - 1;
}

static uint32_t signs_of_bitset(uint64_t op, uint32_t value, bool has_timeout)
{
	bool is_realtime = op & FUTEX_FLAG_REALTIME;

	/* with the real-time clock but no time limit, glibc also sleeps in this value for rwlocks,
	   and since 2.41 for conditions */
	if (value == VALUE_CONTENDED)
		return is_realtime && !has_timeout ? 0 : FUTEX_LOCKED;
	if (value == VALUE_RWLOCK && is_realtime)
		return FUTEX_LOCKED;
	if (!is_realtime && !has_timeout)
		return 0;
	/* at a word that processes may share, the value may be the tid of a thread to end */
	return FUTEX_CONDITIONAL |
	       (op & FUTEX_FLAG_PRIVATE && value_counts(value) ? FUTEX_OF_CONDITION : 0);
}

uint32_t futex_signs_of_sleep(uint64_t op, uint32_t value, bool has_timeout, bool is_two_locked)
{
	uint32_t signs = FUTEX_SLEPT | (value == 0 ? FUTEX_ZERO : 0);

	switch (op & FUTEX_OP_MASK) {
	case FUTEX_CALL_WAIT:
		signs |= FUTEX_PLAIN;
		if (value_is_owned(value) || (value == VALUE_CONTENDED && is_two_locked))
			signs |= FUTEX_LOCKED;
		return signs;
	case FUTEX_CALL_WAIT_BITSET:
		return signs | (value_is_owned(value) ? FUTEX_LOCKED
		                                      : signs_of_bitset(op, value, has_timeout));
	case FUTEX_CALL_LOCK_PI:
	case FUTEX_CALL_LOCK_PI2:
		return FUTEX_SLEPT | FUTEX_LOCKED;
	case FUTEX_CALL_WAIT_REQUEUE_PI:
		return FUTEX_SLEPT | FUTEX_CONDITIONAL | FUTEX_OF_CONDITION;
	default:
		return 0;
	}
}

uint32_t futex_signs_of_wake(uint64_t op, uint64_t count)
{
	switch (op & FUTEX_OP_MASK) {
	case FUTEX_CALL_REQUEUE:
	case FUTEX_CALL_CMP_REQUEUE:
	case FUTEX_CALL_WAKE_OP:
	case FUTEX_CALL_CMP_REQUEUE_PI:
		return FUTEX_MOVED;
	default:
		return count > 1 ? FUTEX_WOKEN_ALL : FUTEX_WOKEN_ONE;
	}
}

/* A sleeper that is woken from a plain sleep together with all others did not wait for any
   library's lock. */
static bool signs_are_of_barrier(uint32_t signs)
{
	return signs & FUTEX_PLAIN && signs & FUTEX_WOKEN_ALL;
}

static bool signs_are_of_lock(uint32_t signs)
{
	return signs & FUTEX_LOCKED && !signs_are_of_barrier(signs);
}

static bool signs_are_conditional(uint32_t signs)
{
	return signs & FUTEX_CONDITIONAL;
}

/* A semaphore wakes one at a time. */
static bool signs_are_of_condition(uint32_t signs)
{
	return signs & (FUTEX_OF_CONDITION | FUTEX_WOKEN_ALL);
}

static bool signs_are_of_semaphore(uint32_t signs)
{
	return signs & FUTEX_OF_SEMAPHORE;
}

/* Contradictory signs leave it open. */
static enum futex_kind signalled_kind(bool is_condition, bool is_semaphore)
{
	if (is_condition == is_semaphore)
		return FUTEX_KIND_SIGNALLED;
	return is_condition ? FUTEX_KIND_CONDITION : FUTEX_KIND_SEMAPHORE;
}

enum futex_kind futex_kind_of(uint32_t signs)
{
	if (signs & FUTEX_ENDED)
		return FUTEX_KIND_JOIN;
	if (signs & FUTEX_MOVED)
		return FUTEX_KIND_CONDITION;
	if (signs_are_of_barrier(signs))
		return FUTEX_KIND_BARRIER;
	if (signs_are_of_lock(signs))
		return FUTEX_KIND_LOCK;
	if (signs_are_conditional(signs))
		return signalled_kind(signs_are_of_condition(signs),
		                      signs_are_of_semaphore(signs));
	return signs & FUTEX_WAKER_SLEPT && signs & FUTEX_WOKEN_ONE ? FUTEX_KIND_LOCK
	                                                            : FUTEX_KIND_UNKNOWN;
}

const char *futex_kind_name(enum futex_kind kind)
{
	static const char *const names[] = {
		[FUTEX_KIND_UNKNOWN] = "futex",
		[FUTEX_KIND_LOCK] = "futex",
		[FUTEX_KIND_JOIN] = "join",
		[FUTEX_KIND_CONDITION] = "condition",
		[FUTEX_KIND_BARRIER] = "barrier",
		[FUTEX_KIND_SEMAPHORE] = "semaphore",
		[FUTEX_KIND_SIGNALLED] = "condition-or-semaphore",
	};

	return names[kind];
}

bool futex_tally_add(struct futex_tally *tally, uint32_t signs, nsec_t begin, nsec_t end)
{
	bool is_new_round = tally->waits == 0 || begin >= tally->round_end;

	if (is_new_round) {
		tally->rounds++;
		tally->round_end = end;
	}
	tally->waits++;
	tally->slept += signs & FUTEX_SLEPT ? 1 : 0;
	tally->zero += signs & FUTEX_ZERO ? 1 : 0;
	tally->moved += signs & FUTEX_MOVED ? 1 : 0;
	if (signs_are_of_barrier(signs)) {
		tally->all++;
		tally->all_waker_slept += signs & FUTEX_WAKER_SLEPT ? 1 : 0;
	} else if (signs_are_of_lock(signs)) {
		tally->locked++;
	} else if (signs_are_conditional(signs)) {
		tally->conditional++;
		tally->of_condition += signs_are_of_condition(signs);
		tally->of_semaphore += signs_are_of_semaphore(signs);
	} else if (signs & FUTEX_WAKER_SLEPT && signs & FUTEX_WOKEN_ONE) {
		tally->waker_slept++;
	}
	return is_new_round;
}

/*
 * Whether a futex at which all sleepers are woken at once is a barrier, and not a condition: a
 * waker has slept there itself, there was only one round, of several sleepers, or the value that
 * tasks sleep in changes. One sleeper alone rather waits for what another thread initializes once.
 */
static bool tally_is_of_barrier(const struct futex_tally *tally)
{
	return tally->all_waker_slept || (tally->rounds < 2 && tally->waits > 1) ||
	       (tally->zero && tally->zero < tally->slept);
}

enum futex_kind futex_tally_kind(const struct futex_tally *tally)
{
	if (tally->moved)
		return FUTEX_KIND_CONDITION;
	if (2 * tally->all > tally->waits)
		return tally_is_of_barrier(tally) ? FUTEX_KIND_BARRIER : FUTEX_KIND_CONDITION;
	if (2 * tally->locked > tally->waits)
		return FUTEX_KIND_LOCK;
	if (2 * tally->conditional > tally->waits)
		return signalled_kind(tally->of_condition, tally->of_semaphore);
	return 2 * tally->waker_slept > tally->waits ? FUTEX_KIND_LOCK : FUTEX_KIND_UNKNOWN;
}
