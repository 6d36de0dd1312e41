/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "futex_owner.h"

#include <string.h>

#include "base/data/array.h"
#include "words/cause/futex_kind.h"

#define MUSL_PLAIN        16 /* EBUSY: the lock of a plain mutex of musl is taken */
#define GLIBC_CONTENDED   2
#define GLIBC_WRITER      3 /* an rwlock is held by a writer, with sleepers */
#define GLIBC_KIND_MAX    UINT32_C(0x1ff)   /* all bits that the kind of a mutex may have */
#define GLIBC_USERS_MAX   UINT32_C(1 << 22) /* threads that use a mutex: at most all */
#define GLIBC_OWNER       2 /* words behind the futex */
#define GLIBC_NEXT        3 /* kind and number of users, in an order that the ABI decides */

/* The word that many words behind the futex; 0 if it was not read. In the byte order of this
   machine, which is that of the program. */
static uint32_t word_at(const struct futex_sleep *sleep, size_t at)
{
	uint32_t word = 0;

	if ((at + 1) * sizeof(word) <= sleep->count)
		memcpy(&word, sleep->memory + at * sizeof(word), sizeof(word));
	return word;
}

/* Whether the words behind the owner are those of a mutex that somebody uses. */
static bool is_mutex(const struct futex_sleep *sleep)
{
	uint32_t users = word_at(sleep, sleep->is_64_bit ? GLIBC_NEXT : GLIBC_NEXT + 1);
	uint32_t kind = word_at(sleep, sleep->is_64_bit ? GLIBC_NEXT + 1 : GLIBC_NEXT);

	return sleep->count >= (GLIBC_NEXT + 2) * sizeof(uint32_t) && kind <= GLIBC_KIND_MAX &&
	       users > 0 && users <= GLIBC_USERS_MAX;
}

/* A writer sleeps at one of two words of the lock, and readers at the other one. */
static uint32_t writer_of(const struct futex_sleep *sleep,
                          bool (*is_thread)(void *state, uint32_t tid), void *state)
{
	uint32_t near = word_at(sleep, 3), far = word_at(sleep, 4);

	return near && is_thread(state, near) ? near : far;
}

enum futex_owner_kind futex_owner_find(const struct futex_sleep *sleep,
                                       bool (*is_thread)(void *state, uint32_t tid), void *state,
                                       uint32_t *ret)
{
	uint64_t op = sleep->op & FUTEX_OP_MASK;
	uint32_t word = word_at(sleep, 0);
	bool is_pi = op == FUTEX_CALL_LOCK_PI || op == FUTEX_CALL_LOCK_PI2;
	enum futex_owner_kind kind = FUTEX_OWNER_NONE;

	*ret = 0;
	if (!is_pi && op != FUTEX_CALL_WAIT && op != FUTEX_CALL_WAIT_BITSET)
		return FUTEX_OWNER_NONE;
	if (is_pi || (word & FUTEX_BIT_WAITERS && (word & FUTEX_OWNER_MASK) != MUSL_PLAIN)) {
		*ret = word & FUTEX_OWNER_MASK;
		kind = FUTEX_OWNER_WORD;
	} else if (word == GLIBC_CONTENDED && sleep->value == GLIBC_CONTENDED && is_mutex(sleep)) {
		*ret = word_at(sleep, GLIBC_OWNER);
		kind = FUTEX_OWNER_MUTEX;
	} else if (word == GLIBC_WRITER && sleep->value == GLIBC_WRITER) {
		*ret = writer_of(sleep, is_thread, state);
		kind = FUTEX_OWNER_RWLOCK;
	} else if (word > GLIBC_WRITER && word == sleep->value) {
		*ret = word;
		kind = FUTEX_OWNER_THREAD;
	}
	if (*ret && is_thread(state, *ret))
		return kind;
	if (*ret && kind == FUTEX_OWNER_MUTEX && sleep->op & FUTEX_FLAG_PRIVATE)
		return FUTEX_OWNER_GONE;
	*ret = 0;
	return FUTEX_OWNER_NONE;
}

/* Whether a condition variable begins there. `signals`: how far the futexes of its two groups are
   behind its begin; the count of its waiters, above three flags, is before them. */
static bool is_condition(const uint8_t *at, size_t signals)
{
	uint64_t waited, group; /* numbers of waiters so far, above a flag */
	uint32_t waiters;

	memcpy(&waited, at, sizeof(waited));
	memcpy(&group, at + sizeof(waited), sizeof(group));
	memcpy(&waiters, at + signals - sizeof(waiters), sizeof(waiters));
	waiters >>= 3;
	waited >>= 1;
	group >>= 1;
	return waiters > 0 && waiters <= GLIBC_USERS_MAX && waited > group &&
	       waited - group <= INT32_MAX;
}

bool futex_is_condition(const struct futex_sleep *sleep,
			const uint8_t before[FUTEX_BYTES_BEFORE])
{
	static const size_t signals[] = {40, 32};

	if ((sleep->op & FUTEX_OP_MASK) != FUTEX_CALL_WAIT_BITSET)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		for (size_t group = 0; group < 2; group++)
			if (is_condition(before + FUTEX_BYTES_BEFORE - signals[i] -
						 group * sizeof(uint32_t), signals[i]))
				return true;
	return false;
}
