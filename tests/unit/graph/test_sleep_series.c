/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/array.h"
#include "graph/sleep_series.h"
#include "suites.h"

/* A larger struct, as polls and waits in slices are. */
struct reported_series {
	SERIES_STRETCH;
	char more[24];
};

static const struct reported_series reported[] = {
	{.track = 2, .begin = 10, .end = 20},
	{.track = 2, .begin = 30, .end = 40},
	{.track = 5, .begin = 0, .end = 15},
	{.track = 5, .begin = 15, .end = 35},
};

static size_t reported_after(uint32_t track, nsec_t t)
{
	struct series_range range = {.hint = 0};

	for (size_t i = 0; i < ARRAY_SIZE(reported); i++)
		if (reported[i].track == track)
			series_range_add(&range, i);
	return series_after(&reported[0].series, sizeof(reported[0]), &range, t);
}

START_TEST(members_are_those_of_the_stretch)
{
	for (size_t i = 0; i < ARRAY_SIZE(reported); i++) {
		ck_assert_uint_eq(reported[i].series.track, reported[i].track);
		ck_assert_uint_eq(reported[i].series.begin, reported[i].begin);
		ck_assert_uint_eq(reported[i].series.end, reported[i].end);
	}
}
END_TEST

START_TEST(first_that_ends_later_is_found)
{
	ck_assert_uint_eq(reported_after(2, 0), 0);
	ck_assert_uint_eq(reported_after(2, 19), 0);
	ck_assert_uint_eq(reported_after(2, 25), 1);
	ck_assert_uint_eq(reported_after(5, 14), 2);
}
END_TEST

START_TEST(end_is_no_part_of_it)
{
	ck_assert_uint_eq(reported_after(2, 20), 1);
	ck_assert_uint_eq(reported_after(5, 15), 3);
}
END_TEST

START_TEST(none_of_another_track_is_found)
{
	ck_assert_uint_eq(reported_after(2, 40), SIZE_MAX);
	ck_assert_uint_eq(reported_after(3, 0), SIZE_MAX);
	ck_assert_uint_eq(reported_after(5, 35), SIZE_MAX);
}
END_TEST

/* Wherever the last search ended, the next one finds what a look at each series finds. */
START_TEST(hint_changes_nothing)
{
	enum { COUNT = 9, FIRST = 3 };
	struct reported_series all[FIRST + COUNT] = {{.track = 1}};

	for (size_t i = 0; i < COUNT; i++)
		all[FIRST + i] = (struct reported_series){.begin = 10 * i, .end = 10 * i + 5};
	for (uint32_t hint = 0; hint <= COUNT + 1; hint++)
		for (nsec_t t = 0; t <= 10 * COUNT; t++) {
			struct series_range range = {.first = FIRST, .count = COUNT, .hint = hint};
			size_t right = FIRST;

			while (right < FIRST + COUNT && all[right].end <= t)
				right++;
			if (right == FIRST + COUNT)
				right = SIZE_MAX;
			ck_assert_uint_eq(
				series_after(&all[0].series, sizeof(all[0]), &range, t), right);
			/* and from where that has ended */
			ck_assert_uint_eq(
				series_after(&all[0].series, sizeof(all[0]), &range, t), right);
		}
}
END_TEST

Suite *sleep_series_suite(void)
{
	Suite *suite = suite_create("sleep_series");
	TCase *tests = tcase_create("sleep_series");

	tcase_add_test(tests, members_are_those_of_the_stretch);
	tcase_add_test(tests, first_that_ends_later_is_found);
	tcase_add_test(tests, end_is_no_part_of_it);
	tcase_add_test(tests, none_of_another_track_is_found);
	tcase_add_test(tests, hint_changes_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
