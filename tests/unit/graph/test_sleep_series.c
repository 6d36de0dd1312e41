/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/aims/sleep_series.h"
#include "suites.h"

static struct series_log *logs;

static void setup(void)
{
	logs = NULL;
	series_add(&logs, SERIES_OF_POLLS, &(struct sleep_series){.begin = 10, .end = 20});
	series_add(&logs, SERIES_OF_POLLS, &(struct sleep_series){.begin = 20, .end = 40});
	series_add(&logs, SERIES_OF_POLLS,
	           &(struct sleep_series){.begin = 50, .end = 60, .is_unproven = true});
	series_add(&logs, SERIES_OF_KILL, &(struct sleep_series){.begin = 0, .end = 15});
}

static void teardown(void)
{
	series_forget(&logs);
	ck_assert_ptr_null(logs);
}

/* Begin of the series with t in it; NSEC_NEVER: none. */
static nsec_t found(enum series_kind kind, nsec_t t)
{
	const struct sleep_series *series = series_around(logs, kind, t);

	return series ? series->begin : NSEC_NEVER;
}

START_TEST(one_with_that_instant_is_found)
{
	ck_assert_uint_eq(found(SERIES_OF_POLLS, 19), 10);
	ck_assert_uint_eq(found(SERIES_OF_POLLS, 20), 20);
	ck_assert_uint_eq(found(SERIES_OF_POLLS, 9), NSEC_NEVER);
	ck_assert_uint_eq(found(SERIES_OF_POLLS, 45), NSEC_NEVER);
	ck_assert_uint_eq(found(SERIES_OF_POLLS, 60), NSEC_NEVER);
}
END_TEST

START_TEST(kinds_have_their_own)
{
	ck_assert_uint_eq(found(SERIES_OF_KILL, 10), 0);
	ck_assert_uint_eq(found(SERIES_OF_SLICES, 10), NSEC_NEVER);
	ck_assert_ptr_null(series_around(NULL, SERIES_OF_KILL, 10));
}
END_TEST

START_TEST(unproven_ones_have_no_waits)
{
	ck_assert_uint_eq(found(SERIES_OF_POLLS, 55), 50);
	ck_assert_ptr_null(series_of(logs, SERIES_OF_POLLS, 55));
	ck_assert_ptr_nonnull(series_of(logs, SERIES_OF_POLLS, 15));
}
END_TEST

START_TEST(what_is_left_may_go_on)
{
	ck_assert_uint_eq(series_left_begin(&logs[SERIES_OF_SLICES]), NSEC_NEVER);
	ck_assert_uint_eq(series_left_begin(&logs[SERIES_OF_POLLS]), NSEC_NEVER);
	series_add(&logs, SERIES_OF_POLLS,
	           &(struct sleep_series){.begin = 70, .end = 80, .is_left = true});
	ck_assert_uint_eq(series_left_begin(&logs[SERIES_OF_POLLS]), 70);
}
END_TEST

/* Wherever the last search ended, the next one finds what a look at each series finds. */
START_TEST(hint_changes_nothing)
{
	enum { COUNT = 9 };
	struct sleep_series all[COUNT] = {{.begin = 0}};

	for (size_t i = 0; i < COUNT; i++)
		all[i] = (struct sleep_series){.begin = 10 * i, .end = 10 * i + 5};
	for (size_t hint = 0; hint <= COUNT + 1; hint++)
		for (nsec_t t = 0; t <= 10 * COUNT; t++) {
			struct series_log log = {.series = all, .count = COUNT, .hint = hint};
			struct sleep_series *right = all;

			while (right < all + COUNT && right->end <= t)
				right++;
			if (right == all + COUNT)
				right = NULL;
			ck_assert_ptr_eq(series_after(&log, t), right);
			/* and from where that has ended */
			ck_assert_ptr_eq(series_after(&log, t), right);
		}
}
END_TEST

Suite *sleep_series_suite(void)
{
	Suite *suite = suite_create("sleep_series");
	TCase *tests = tcase_create("sleep_series");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, one_with_that_instant_is_found);
	tcase_add_test(tests, kinds_have_their_own);
	tcase_add_test(tests, unproven_ones_have_no_waits);
	tcase_add_test(tests, what_is_left_may_go_on);
	tcase_add_test(tests, hint_changes_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
