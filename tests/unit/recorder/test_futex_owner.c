/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "recorder/machine/waiter_memory.h"
#include "suites.h"

/* The threads of the process are 100 to 109, and 16. */
static bool is_thread(void *state, uint32_t tid)
{
	(void)state;
	return (tid >= 100 && tid < 110) || tid == 16;
}

static struct futex_sleep sleep_at(uint64_t op, uint32_t value, const uint32_t *word, size_t count)
{
	struct futex_sleep sleep = {.op = op, .value = value, .is_64_bit = true};

	sleep.count = count * sizeof(*word);
	memcpy(sleep.memory, word, sleep.count);
	return sleep;
}

#define SLEEP(op, value, ...)                                                   \
	sleep_at(op, value, (const uint32_t[]){__VA_ARGS__},                    \
	         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void ck_owner(struct futex_sleep sleep, enum futex_owner_kind kind, uint32_t owner)
{
	uint32_t found = 1;

	ck_assert_int_eq(futex_owner_find(&sleep, is_thread, NULL, &found), kind);
	ck_assert_uint_eq(found, owner);
}

/* lock, count, owner, users, kind */
START_TEST(mutex_of_glibc)
{
	struct futex_sleep sleep = SLEEP(0x80, 2, 2, 0, 104, 1, 0);

	ck_owner(sleep, FUTEX_OWNER_MUTEX, 104);
	/* of this process only, which has no such thread; or of several */
	ck_owner(SLEEP(0x80, 2, 2, 0, 99, 1, 0), FUTEX_OWNER_GONE, 99);
	ck_owner(SLEEP(0, 2, 2, 0, 99, 1, 0), FUTEX_OWNER_NONE, 0);
	/* no users, or no kind of a mutex: other data */
	ck_owner(SLEEP(0x80, 2, 2, 0, 104, 0, 0), FUTEX_OWNER_NONE, 0);
	ck_owner(SLEEP(0x80, 2, 2, 0, 104, 1, 0x1000), FUTEX_OWNER_NONE, 0);
	/* released meanwhile */
	ck_owner(SLEEP(0x80, 2, 0, 0, 0, 0, 0), FUTEX_OWNER_NONE, 0);
	/* too little memory was read */
	ck_owner(SLEEP(0x80, 2, 2, 0, 104), FUTEX_OWNER_NONE, 0);
	/* 32 bit: the kind comes before the users */
	sleep = SLEEP(0x80, 2, 2, 0, 104, 1, 0);
	sleep.is_64_bit = false;
	ck_owner(sleep, FUTEX_OWNER_NONE, 0);
	sleep = SLEEP(0x80, 2, 2, 0, 104, 0, 1);
	sleep.is_64_bit = false;
	ck_owner(sleep, FUTEX_OWNER_MUTEX, 104);
}
END_TEST

START_TEST(owner_in_the_word)
{
	ck_owner(SLEEP(0x80, 0x80000068, 0x80000068), FUTEX_OWNER_WORD, 104);
	ck_owner(SLEEP(0x86, 0, 0x80000068), FUTEX_OWNER_WORD, 104);
	ck_owner(SLEEP(0x8d, 0, 104), FUTEX_OWNER_WORD, 104);
	/* the owner died */
	ck_owner(SLEEP(0x80, 0xc0000068, 0xc0000001), FUTEX_OWNER_NONE, 0);
	/* a plain mutex of musl is taken with 16, whoever has it */
	ck_owner(SLEEP(0x80, 0x80000010, 0x80000010), FUTEX_OWNER_NONE, 0);
}
END_TEST

/* readers, writers, [writer phase, writers, pad, pad, writer] */
START_TEST(rwlock_of_glibc)
{
	ck_owner(SLEEP(0x189, 3, 3, 2, 0, 0, 103, 0), FUTEX_OWNER_RWLOCK, 103);
	ck_owner(SLEEP(0x189, 3, 3, 0, 0, 103, 0), FUTEX_OWNER_RWLOCK, 103);
	/* readers have it */
	ck_owner(SLEEP(0x189, 3, 3, 2, 0, 0, 0, 0), FUTEX_OWNER_NONE, 0);
}
END_TEST

START_TEST(thread_that_is_joined)
{
	ck_owner(SLEEP(0x109, 105, 105), FUTEX_OWNER_THREAD, 105);
	ck_owner(SLEEP(0x109, 105, 0), FUTEX_OWNER_NONE, 0);
	ck_owner(SLEEP(0x80, 77, 77), FUTEX_OWNER_NONE, 0);
}
END_TEST

/* A condition variable, a semaphore, a call that does not sleep. */
START_TEST(no_lock)
{
	ck_owner(SLEEP(0x189, 0, 0, 0, 104, 1, 0), FUTEX_OWNER_NONE, 0);
	ck_owner(SLEEP(0x81, 2, 2, 0, 104, 1, 0), FUTEX_OWNER_NONE, 0);
}
END_TEST

/* Bytes before the futex of a condition variable that begins `distance` bytes before it. */
static void condition_put(uint8_t before[FUTEX_BYTES_BEFORE], size_t distance, size_t count_at,
                          uint64_t waited, uint64_t group, uint32_t waiters)
{
	uint8_t *at = before + FUTEX_BYTES_BEFORE - distance;

	memset(before, 0, FUTEX_BYTES_BEFORE);
	memcpy(at, &waited, sizeof(waited));
	memcpy(at + 8, &group, sizeof(group));
	memcpy(at + count_at, &waiters, sizeof(waiters));
}

/* As glibc 2.36 has them, and 2.41. */
START_TEST(condition_of_glibc)
{
	struct futex_sleep sleep = SLEEP(0x189, 0, 0, 0), plain = SLEEP(0x80, 0, 0, 0);
	uint8_t before[FUTEX_BYTES_BEFORE];

	condition_put(before, 40, 36, 2, 0, 8);
	ck_assert_int_eq(futex_object_of(&sleep, before), FUTEX_OBJECT_CONDITION);
	ck_assert_int_eq(futex_object_of(&plain, before), FUTEX_OBJECT_NONE);
	condition_put(before, 44, 36, 7, 4, 2 * 8 + 2);
	ck_assert_int_eq(futex_object_of(&sleep, before), FUTEX_OBJECT_CONDITION);
	condition_put(before, 36, 28, 2, 0, 8);
	ck_assert_int_eq(futex_object_of(&sleep, before), FUTEX_OBJECT_CONDITION);
	/* no waiter is counted, or none has come since the last group */
	condition_put(before, 40, 36, 2, 0, 7);
	ck_assert_int_eq(futex_object_of(&sleep, before), FUTEX_OBJECT_NONE);
	condition_put(before, 32, 28, 4, 4, 8);
	ck_assert_int_eq(futex_object_of(&sleep, before), FUTEX_OBJECT_NONE);
}
END_TEST

static void ck_object(struct futex_sleep sleep, uint32_t word_before, enum futex_object object)
{
	uint8_t before[FUTEX_BYTES_BEFORE] = {0};

	memcpy(before + FUTEX_BYTES_BEFORE - sizeof(word_before), &word_before,
	       sizeof(word_before));
	ck_assert_int_eq(futex_object_of(&sleep, before), object);
}

/* value, waiters, shared */
START_TEST(semaphore_of_glibc)
{
	struct futex_sleep sleep = SLEEP(0x189, 0, 0, 1, 0);

	ck_object(sleep, 7, FUTEX_OBJECT_SEMAPHORE);
	ck_object(SLEEP(0x109, 0, 0, 3, 0x80), 0, FUTEX_OBJECT_SEMAPHORE);
	/* nobody waits, it was posted, or another flag follows */
	ck_object(SLEEP(0x189, 0, 0, 0, 0), 0, FUTEX_OBJECT_NONE);
	ck_object(SLEEP(0x189, 0, 1, 1, 0), 0, FUTEX_OBJECT_NONE);
	ck_object(SLEEP(0x189, 0, 0, 1, 3), 0, FUTEX_OBJECT_NONE);
	/* too little memory was read; 32 bits have another layout */
	ck_object(SLEEP(0x189, 0, 0, 1), 0, FUTEX_OBJECT_NONE);
	sleep.is_64_bit = false;
	ck_object(sleep, 0, FUTEX_OBJECT_NONE);
}
END_TEST

/* in | round, count, shared */
START_TEST(barrier_of_glibc)
{
	ck_object(SLEEP(0x80, 0, 0, 3, 0), 1, FUTEX_OBJECT_BARRIER);
	ck_object(SLEEP(0x80, 6, 6, 3, 0), 8, FUTEX_OBJECT_BARRIER);
	ck_object(SLEEP(0, 6, 6, 3, 0x80), 7, FUTEX_OBJECT_BARRIER);
	/* none has come, all have, or the round is over */
	ck_object(SLEEP(0x80, 6, 6, 3, 0), 6, FUTEX_OBJECT_NONE);
	ck_object(SLEEP(0x80, 6, 6, 3, 0), 9, FUTEX_OBJECT_NONE);
	ck_object(SLEEP(0x80, 6, 9, 3, 0), 8, FUTEX_OBJECT_NONE);
	/* another call, another flag, too little memory */
	ck_object(SLEEP(0x189, 6, 6, 3, 0), 8, FUTEX_OBJECT_NONE);
	ck_object(SLEEP(0x80, 6, 6, 3, 1), 8, FUTEX_OBJECT_NONE);
	ck_object(SLEEP(0x80, 6, 6, 3), 8, FUTEX_OBJECT_NONE);
}
END_TEST

Suite *futex_owner_suite(void)
{
	Suite *suite = suite_create("futex_owner");
	TCase *tcase = tcase_create("futex_owner");

	tcase_add_test(tcase, mutex_of_glibc);
	tcase_add_test(tcase, owner_in_the_word);
	tcase_add_test(tcase, rwlock_of_glibc);
	tcase_add_test(tcase, thread_that_is_joined);
	tcase_add_test(tcase, no_lock);
	tcase_add_test(tcase, condition_of_glibc);
	tcase_add_test(tcase, semaphore_of_glibc);
	tcase_add_test(tcase, barrier_of_glibc);
	suite_add_tcase(suite, tcase);
	return suite;
}
