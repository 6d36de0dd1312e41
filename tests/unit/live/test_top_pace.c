/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/top_pace.h"

#include "suites.h"

#define S UINT64_C(1000000000)

START_TEST(doubles_after_five_dear_seconds)
{
	struct top_pace pace = top_pace_new(1 * S);

	for (nsec_t at = 10; at < 14; at++)
		ck_assert(!top_pace_take(&pace, at * S, (at + 1) * S, 0.021));
	ck_assert(top_pace_take(&pace, 14 * S, 15 * S, 0.021));
	ck_assert_uint_eq(pace.interval, 2 * S);
	/* from there on anew */
	ck_assert(!top_pace_take(&pace, 15 * S, 17 * S, 0.5));
	ck_assert(!top_pace_take(&pace, 17 * S, 19 * S, 0.5));
	ck_assert(top_pace_take(&pace, 19 * S, 21 * S, 0.5));
	ck_assert_uint_eq(pace.interval, 4 * S);
}
END_TEST

START_TEST(a_cheap_interval_begins_anew)
{
	struct top_pace pace = top_pace_new(1 * S);

	for (nsec_t at = 10; at < 100; at++)
		ck_assert(!top_pace_take(&pace, at * S, (at + 1) * S, at % 5 ? 0.9 : 0.02));
	ck_assert_uint_eq(pace.interval, 1 * S);
}
END_TEST

/* A day of load: what waits is still shown while it does. */
START_TEST(there_is_a_longest_interval)
{
	struct top_pace pace = top_pace_new(1 * S);
	unsigned count = 0;

	for (nsec_t at = 0; at < 86400 * S; at += pace.interval)
		count += top_pace_take(&pace, at, at + pace.interval, 0.3);
	ck_assert_uint_eq(pace.interval, TOP_PACE_MAX);
	ck_assert_uint_eq(count, 4);
}
END_TEST

START_TEST(no_interval_becomes_longer_than_that)
{
	struct top_pace nine = top_pace_new(9 * S), minute = top_pace_new(60 * S);

	for (nsec_t at = 0; at < 100; at++) {
		ck_assert(!top_pace_take(&nine, at * 9 * S, (at + 1) * 9 * S, 0.3));
		ck_assert(!top_pace_take(&minute, at * 60 * S, (at + 1) * 60 * S, 0.3));
	}
}
END_TEST

Suite *top_pace_suite(void)
{
	Suite *suite = suite_create("top_pace");
	TCase *tests = tcase_create("top_pace");

	tcase_add_test(tests, doubles_after_five_dear_seconds);
	tcase_add_test(tests, a_cheap_interval_begins_anew);
	tcase_add_test(tests, there_is_a_longest_interval);
	tcase_add_test(tests, no_interval_becomes_longer_than_that);
	suite_add_tcase(suite, tests);
	return suite;
}
