/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/array.h"
#include "graph/walk/part_log.h"
#include "suites.h"

static struct longest_parts longest;

static void longest_teardown(void)
{
	longest_parts_release(&longest);
}

static void part_add(nsec_t begin, nsec_t length)
{
	longest_parts_add(&longest, &(struct part){.begin = begin, .end = begin + length});
}

static void check_begins(const nsec_t *begin, size_t count)
{
	longest_parts_sort(&longest);
	ck_assert_uint_eq(longest.count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(longest.part[i].begin, begin[i]);
}

START_TEST(few_are_all_kept)
{
	longest_parts_init(&longest, 3);
	check_begins(NULL, 0);
	part_add(200, 5);
	part_add(100, 1);
	check_begins((nsec_t[]){100, 200}, 2);
}
END_TEST

START_TEST(longest_come_in_order_of_time)
{
	longest_parts_init(&longest, 3);
	for (nsec_t begin = 100000; begin > 0; begin -= 100)
		part_add(begin, begin == 300 || begin == 77000 ? 99
		                : begin == 5000                ? 98
		                                               : begin % 97);
	check_begins((nsec_t[]){300, 5000, 77000}, 3);
}
END_TEST

START_TEST(of_equal_ones_the_first)
{
	longest_parts_init(&longest, 2);
	for (nsec_t begin = 1000; begin > 0; begin -= 10)
		part_add(begin, 10);
	check_begins((nsec_t[]){10, 20}, 2);
}
END_TEST

START_TEST(one_is_the_longest)
{
	longest_parts_init(&longest, 1);
	part_add(300, 4);
	part_add(200, 7);
	part_add(100, 6);
	check_begins((nsec_t[]){200}, 1);
}
END_TEST

Suite *longest_parts_suite(void)
{
	Suite *suite = suite_create("longest_parts");
	TCase *tests = tcase_create("longest_parts");

	tcase_add_checked_fixture(tests, NULL, longest_teardown);
	tcase_add_test(tests, few_are_all_kept);
	tcase_add_test(tests, longest_come_in_order_of_time);
	tcase_add_test(tests, of_equal_ones_the_first);
	tcase_add_test(tests, one_is_the_longest);
	suite_add_tcase(suite, tests);
	return suite;
}
