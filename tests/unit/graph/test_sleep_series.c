/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/array.h"
#include "graph/sleep_series.h"
#include "suites.h"

/* As those that tell more of a series do. */
struct told_series {
	SERIES_STRETCH;
	char more[24];
};

static const struct told_series told[] = {
	{.line = 2, .begin = 10, .end = 20},
	{.line = 2, .begin = 30, .end = 40},
	{.line = 5, .begin = 0, .end = 15},
	{.line = 5, .begin = 15, .end = 35},
};

static size_t told_after(uint32_t line, nsec_t t)
{
	return series_after(&told[0].series, ARRAY_SIZE(told), sizeof(told[0]), line, t);
}

START_TEST(members_are_those_of_the_stretch)
{
	for (size_t i = 0; i < ARRAY_SIZE(told); i++) {
		ck_assert_uint_eq(told[i].series.line, told[i].line);
		ck_assert_uint_eq(told[i].series.begin, told[i].begin);
		ck_assert_uint_eq(told[i].series.end, told[i].end);
	}
}
END_TEST

START_TEST(first_that_ends_later_is_found)
{
	ck_assert_uint_eq(told_after(2, 0), 0);
	ck_assert_uint_eq(told_after(2, 19), 0);
	ck_assert_uint_eq(told_after(2, 25), 1);
	ck_assert_uint_eq(told_after(5, 14), 2);
}
END_TEST

START_TEST(end_is_no_part_of_it)
{
	ck_assert_uint_eq(told_after(2, 20), 1);
	ck_assert_uint_eq(told_after(5, 15), 3);
}
END_TEST

START_TEST(later_lines_come_after)
{
	ck_assert_uint_eq(told_after(0, 100), 0);
	ck_assert_uint_eq(told_after(2, 40), 2);
	ck_assert_uint_eq(told_after(3, 0), 2);
	ck_assert_uint_eq(told_after(5, 35), ARRAY_SIZE(told));
	ck_assert_uint_eq(told_after(6, 0), ARRAY_SIZE(told));
	ck_assert_uint_eq(series_after(&told[0].series, 0, sizeof(told[0]), 0, 0), 0);
}
END_TEST

Suite *sleep_series_suite(void)
{
	Suite *suite = suite_create("sleep_series");
	TCase *tests = tcase_create("sleep_series");

	tcase_add_test(tests, members_are_those_of_the_stretch);
	tcase_add_test(tests, first_that_ends_later_is_found);
	tcase_add_test(tests, end_is_no_part_of_it);
	tcase_add_test(tests, later_lines_come_after);
	suite_add_tcase(suite, tests);
	return suite;
}
