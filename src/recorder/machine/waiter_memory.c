/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "waiter_memory.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "text_file.h"
#include "words/cause/futex_kind.h"

#define TEXT_BYTES_MAX (256u << 10)

static void set_add(struct poll_set *set, uint64_t number)
{
	bool is_known = number < POLLED_MAX;

	if (is_known && set->bit[number / 64] >> number % 64 & 1)
		return;
	if (is_known)
		set->bit[number / 64] |= UINT64_C(1) << number % 64;
	set->count++;
}

static bool poll_read(struct seen_process *process, const uint64_t argument[6],
		      struct poll_set *ret)
{
	size_t count = argument[1] < POLLED_MAX ? (size_t)argument[1] : POLLED_MAX, got;
	struct pollfd polled[POLLED_MAX];

	got = count ? seen_process_copy(process, argument[0], polled, count * sizeof(*polled)) : 0;
	for (size_t i = 0; i < got / sizeof(*polled); i++)
		if (polled[i].fd >= 0)
			set_add(ret, (uint64_t)polled[i].fd);
	return got > 0;
}

/* The sets to read from and to write to: bits, in words of the machine. */
static bool select_read(struct seen_process *process, const uint64_t argument[6],
			struct poll_set *ret)
{
	size_t count = argument[0] < POLLED_MAX ? (size_t)argument[0] : POLLED_MAX;
	bool is_read = false;

	for (size_t set = 1; set <= 2 && count > 0; set++) {
		uint64_t bit[POLLED_MAX / 64] = {0};

		if (argument[set] == 0 ||
		    seen_process_copy(process, argument[set], bit, (count + 63) / 64 * 8) == 0)
			continue;
		is_read = true;
		for (size_t number = 0; number < count; number++)
			if (bit[number / 64] >> number % 64 & 1)
				set_add(ret, number);
	}
	return is_read;
}

/* "tfd:        5 events:       19 data: ..." for each. */
static bool epoll_read(struct seen_process *process, uint64_t file, struct poll_set *ret)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(TEXT_BYTES_MAX);
	uint64_t number;

	if (peek_text(process->peek, process->tgid,
	              PROC_PATH("/proc/%d/fdinfo/%" PRIu64, process->tgid, file & UINT32_MAX),
	              &text) < 0 || text.length == 0)
		return false;
	for (const char *at = text.text; (at = strstr(at, "\ntfd:")); at++)
		if (sscanf(at, "\ntfd: %" SCNu64, &number) == 1)
			set_add(ret, number);
	return true;
}

bool poll_set_read(struct seen_process *process, const char *call, const uint64_t argument[6],
		   struct poll_set *ret)
{
	*ret = (struct poll_set){.count = 0};
	if (strncmp(call, "epoll_", strlen("epoll_")) == 0)
		return epoll_read(process, argument[0], ret);
	return strstr(call, "select") ? select_read(process, argument, ret)
				      : poll_read(process, argument, ret);
}

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

static bool futex_is_condition(const uint8_t before[FUTEX_BYTES_BEFORE])
{
	static const size_t signals[] = {40, 32};

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		for (size_t group = 0; group < 2; group++)
			if (is_condition(before + FUTEX_BYTES_BEFORE - signals[i] -
						 group * sizeof(uint32_t), signals[i]))
				return true;
	return false;
}

/* Whether the word is glibc's flag of an object that processes may share. */
static bool is_shared_flag(uint32_t word)
{
	return word == 0 || word == FUTEX_FLAG_PRIVATE;
}

/* value, waiters, shared */
static bool futex_is_semaphore(const struct futex_sleep *sleep)
{
	uint32_t waiters;

	if (!sleep->is_64_bit || sleep->count < 3 * sizeof(uint32_t) || sleep->value != 0)
		return false;
	waiters = word_at(sleep, 1);
	return word_at(sleep, 0) == 0 && waiters > 0 && waiters <= GLIBC_USERS_MAX &&
	       is_shared_flag(word_at(sleep, 2));
}

/* in (before the futex), round, count, shared: `in` counts who has come; the futex is the round,
   which is what `in` was as it began */
static bool futex_is_barrier(const struct futex_sleep *sleep,
                             const uint8_t before[FUTEX_BYTES_BEFORE])
{
	uint32_t in, count;

	if (sleep->count < 3 * sizeof(uint32_t) || word_at(sleep, 0) != sleep->value)
		return false;
	memcpy(&in, before + FUTEX_BYTES_BEFORE - sizeof(in), sizeof(in));
	count = word_at(sleep, 1);
	return in > sleep->value && in - sleep->value < count && count <= GLIBC_USERS_MAX &&
	       is_shared_flag(word_at(sleep, 2));
}

enum futex_object futex_object_of(const struct futex_sleep *sleep,
                                  const uint8_t before[FUTEX_BYTES_BEFORE])
{
	switch (sleep->op & FUTEX_OP_MASK) {
	case FUTEX_CALL_WAIT:
		return futex_is_barrier(sleep, before) ? FUTEX_OBJECT_BARRIER : FUTEX_OBJECT_NONE;
	case FUTEX_CALL_WAIT_BITSET:
		if (futex_is_condition(before))
			return FUTEX_OBJECT_CONDITION;
		return futex_is_semaphore(sleep) ? FUTEX_OBJECT_SEMAPHORE : FUTEX_OBJECT_NONE;
	default:
		return FUTEX_OBJECT_NONE;
	}
}
