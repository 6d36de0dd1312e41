/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/summary/explanation.h"

#include "suites.h"

static struct time_series series;

static nsec_t held_in_all(void)
{
	nsec_t sum = 0;

	for (size_t i = 0; i < SERIES_SLICES; i++)
		sum += series.held[i];
	return sum;
}

START_TEST(stretches_are_divided_among_slices)
{
	time_series_init(&series, 100, 10);
	ck_assert_uint_eq(time_series_count(&series, 100), 0);
	time_series_add(&series, 95, 112); /* 5 before the first slice */
	time_series_add(&series, 115, 120);
	time_series_add(&series, 117, 117);
	time_series_add(&series, 80, 100);
	ck_assert_uint_eq(series.held[0], 10);
	ck_assert_uint_eq(series.held[1], 7);
	ck_assert_uint_eq(series.held[2], 0);
	ck_assert_uint_eq(series.longest[0], 0);
	ck_assert_uint_eq(series.longest[1], 17);
	ck_assert_uint_eq(time_series_count(&series, 120), 2);
	ck_assert_uint_eq(time_series_count(&series, 121), 3);
	ck_assert_uint_eq(time_series_count(&series, UINT64_MAX), SERIES_SLICES);
}
END_TEST

START_TEST(slices_grow_with_the_time)
{
	time_series_init(&series, 0, 1);
	time_series_add(&series, 0, SERIES_SLICES);
	ck_assert_uint_eq(series.slice, 1);
	ck_assert_uint_eq(series.held[SERIES_SLICES - 1], 1);
	time_series_add(&series, SERIES_SLICES, SERIES_SLICES + 1);
	ck_assert_uint_eq(series.slice, 2);
	ck_assert_uint_eq(series.held[0], 2);
	ck_assert_uint_eq(series.held[SERIES_SLICES / 2 - 1], 2);
	ck_assert_uint_eq(series.held[SERIES_SLICES / 2], 1);
	ck_assert_uint_eq(series.longest[SERIES_SLICES / 2 - 1], SERIES_SLICES);
	ck_assert_uint_eq(held_in_all(), SERIES_SLICES + 1);
	time_series_add(&series, 5, UINT64_MAX - 1);
	ck_assert_uint_eq(held_in_all(), SERIES_SLICES + 1 + (UINT64_MAX - 1 - 5));
}
END_TEST

START_TEST(one_that_was_not_begun_has_none)
{
	series = (struct time_series){0};
	ck_assert_uint_eq(time_series_count(&series, 1000), 0);
}
END_TEST

Suite *time_series_suite(void)
{
	Suite *suite = suite_create("time_series");
	TCase *tests = tcase_create("time_series");

	tcase_add_test(tests, stretches_are_divided_among_slices);
	tcase_add_test(tests, slices_grow_with_the_time);
	tcase_add_test(tests, one_that_was_not_begun_has_none);
	suite_add_tcase(suite, tests);
	return suite;
}
