/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/logs/interrupt_log.h"
#include "suites.h"

static struct interrupt_log interrupts;

static void log_teardown(void)
{
	interrupt_log_release(&interrupts);
}

static void cursor_is(struct interrupt_cursor *cursor, nsec_t before, nsec_t begin, nsec_t end)
{
	ck_assert(interrupt_cursor_find(cursor, before));
	ck_assert_uint_eq(cursor->begin, begin);
	ck_assert_uint_eq(cursor->end, end);
}

START_TEST(what_lies_in_another_is_part_of_it)
{
	struct interrupt_cursor cursor;

	interrupt_log_add(&interrupts, 2, 10, 20);
	interrupt_log_add(&interrupts, 2, 40, 50);
	interrupt_log_add(&interrupts, 2, 60, 60); /* of no length */
	interrupt_log_add(&interrupts, 2, 60, 70);
	interrupt_log_add(&interrupts, 2, 30, 80);
	interrupt_log_add(&interrupts, 2, 90, 100);
	interrupt_log_add(&interrupts, 2, 95, 110); /* its begin is told of already */
	interrupt_cursor_init(&cursor, &interrupts, 2);
	cursor_is(&cursor, NSEC_NEVER, 100, 110);
	cursor_is(&cursor, 101, 100, 110);
	cursor_is(&cursor, 100, 90, 100);
	cursor_is(&cursor, 90, 30, 80);
	cursor_is(&cursor, 25, 10, 20);
	ck_assert(!interrupt_cursor_find(&cursor, 10));
	ck_assert(!interrupt_cursor_find(&cursor, NSEC_NEVER));
}
END_TEST

START_TEST(what_had_ended_is_forgotten)
{
	struct interrupt_cursor cursor;

	interrupt_log_add(&interrupts, 1, 10, 20);
	interrupt_log_add(&interrupts, 1, UINT64_C(1) << 40, (UINT64_C(1) << 40) + 5);
	interrupt_log_add(&interrupts, 1, UINT64_C(1) << 41, (UINT64_C(1) << 41) + 7);
	interrupt_log_trim(&interrupts, 20);
	interrupt_cursor_init(&cursor, &interrupts, 1);
	cursor_is(&cursor, NSEC_NEVER, UINT64_C(1) << 41, (UINT64_C(1) << 41) + 7);
	cursor_is(&cursor, UINT64_C(1) << 41, UINT64_C(1) << 40, (UINT64_C(1) << 40) + 5);
	ck_assert(!interrupt_cursor_find(&cursor, 100));
	interrupt_log_trim(&interrupts, (UINT64_C(1) << 41) + 7);
	interrupt_cursor_init(&cursor, &interrupts, 1);
	ck_assert(!interrupt_cursor_find(&cursor, NSEC_NEVER));
	interrupt_log_add(&interrupts, 1, (UINT64_C(1) << 41) + 9, (UINT64_C(1) << 41) + 10);
	interrupt_cursor_init(&cursor, &interrupts, 1);
	cursor_is(&cursor, NSEC_NEVER, (UINT64_C(1) << 41) + 9, (UINT64_C(1) << 41) + 10);
}
END_TEST

START_TEST(other_cpus_have_none)
{
	struct interrupt_cursor cursor;

	interrupt_cursor_init(&cursor, &interrupts, 0);
	ck_assert(!interrupt_cursor_find(&cursor, NSEC_NEVER));
	interrupt_log_add(&interrupts, 2, 10, 20);
	interrupt_cursor_init(&cursor, &interrupts, 1);
	ck_assert(!interrupt_cursor_find(&cursor, NSEC_NEVER));
	interrupt_cursor_init(&cursor, &interrupts, 3);
	ck_assert(!interrupt_cursor_find(&cursor, NSEC_NEVER));
}
END_TEST

/* Of one bit to 63. */
START_TEST(any_length_is_read_back)
{
	struct interrupt_cursor cursor;
	nsec_t at = 0;

	for (unsigned bits = 0; bits < 63; bits++) {
		nsec_t length = (nsec_t)1 << bits;

		interrupt_log_add(&interrupts, 0, at + length / 2, at + length);
		at += length;
	}
	interrupt_cursor_init(&cursor, &interrupts, 0);
	for (unsigned bits = 63; bits-- > 0;) {
		nsec_t length = (nsec_t)1 << bits;

		at -= length;
		cursor_is(&cursor, at + length, at + length / 2, at + length);
	}
	ck_assert_uint_eq(at, 0);
}
END_TEST

START_TEST(lengths_around_32_bits_are_read_back)
{
	static const nsec_t lengths[] = {UINT32_MAX - 1, UINT32_MAX, UINT32_MAX + 1ull};
	struct interrupt_cursor cursor;
	nsec_t at = 0;

	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 3; k++) {
			at += lengths[i];
			interrupt_log_add(&interrupts, 0, at, at + lengths[k]);
			at += lengths[k];
		}
	interrupt_cursor_init(&cursor, &interrupts, 0);
	for (size_t i = 3; i-- > 0;)
		for (size_t k = 3; k-- > 0;) {
			cursor_is(&cursor, at, at - lengths[k], at);
			at -= lengths[k] + lengths[i];
		}
}
END_TEST

Suite *interrupt_log_suite(void)
{
	Suite *suite = suite_create("interrupt_log");
	TCase *tests = tcase_create("interrupt_log");

	tcase_add_checked_fixture(tests, NULL, log_teardown);
	tcase_add_test(tests, what_lies_in_another_is_part_of_it);
	tcase_add_test(tests, what_had_ended_is_forgotten);
	tcase_add_test(tests, other_cpus_have_none);
	tcase_add_test(tests, any_length_is_read_back);
	tcase_add_test(tests, lengths_around_32_bits_are_read_back);
	suite_add_tcase(suite, tests);
	return suite;
}
