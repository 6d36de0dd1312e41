/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/time_scale.h"

#include "base/data/array.h"
#include "suites.h"

#define SECOND UINT64_C(1000000000)
/* 2026-11-26 03:12:05 in UTC */
#define NIGHT  (1795662725 * SECOND)

static const struct realtime one = {{{.time = 100 * SECOND, .real = NIGHT}}, 1};
/* from the second pair on, the time of day runs twice as fast */
static const struct realtime bent = {{{.time = 100 * SECOND, .real = NIGHT},
                                      {.time = 110 * SECOND, .real = NIGHT + 10 * SECOND},
                                      {.time = 120 * SECOND, .real = NIGHT + 30 * SECOND}}, 3};

START_TEST(error_is_the_largest_and_what_it_may_grow_between)
{
	struct realtime kept = {{{.time = 100 * SECOND, .within = 5, .error = 1000},
	                         {.time = 110 * SECOND, .within = 7, .error = 2000}}, 2};

	ck_assert_uint_eq(time_scale_error(&kept), 2007 + 10 * SECOND / 2000);
	kept.pair[0].error = 0;
	ck_assert_uint_eq(time_scale_error(&kept), NSEC_NEVER);
}
END_TEST

START_TEST(clocks_run_evenly_between_pairs)
{
	const struct {
		const struct realtime *realtime;
		nsec_t time, real;
	} cases[] = {
		{&one, 100 * SECOND, NIGHT},
		{&one, 100 * SECOND + 1, NIGHT + 1},
		{&one, 99 * SECOND, NIGHT - SECOND},
		{&one, 0, NIGHT - 100 * SECOND},
		{&bent, 90 * SECOND, NIGHT - 10 * SECOND},
		{&bent, 105 * SECOND, NIGHT + 5 * SECOND},
		{&bent, 110 * SECOND, NIGHT + 10 * SECOND},
		{&bent, 115 * SECOND, NIGHT + 20 * SECOND},
		{&bent, 120 * SECOND, NIGHT + 30 * SECOND},
		{&bent, 121 * SECOND, NIGHT + 31 * SECOND},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		ck_assert_uint_eq(time_scale_real(cases[i].realtime, cases[i].time), cases[i].real);
		ck_assert_uint_eq(time_scale_time(cases[i].realtime, cases[i].real), cases[i].time);
	}
}
END_TEST

/* A day of drift: what is rounded is less than a microsecond. */
START_TEST(drift_is_spread)
{
	const nsec_t day = 86400 * SECOND, drift = 3 * SECOND;
	const struct realtime realtime = {{{.time = 5, .real = NIGHT},
	                                   {.time = 5 + day, .real = NIGHT + day - drift}}, 2};

	for (nsec_t part = 0; part <= 16; part++) {
		nsec_t time = 5 + day / 16 * part;
		nsec_t real = NIGHT + (day - drift) / 16 * part;

		ck_assert_uint_le(time_scale_real(&realtime, time), real + 1000);
		ck_assert_uint_ge(time_scale_real(&realtime, time), real - 1000);
		ck_assert_uint_le(time_scale_time(&realtime, real), time + 1000);
		ck_assert_uint_ge(time_scale_time(&realtime, real) + 1000, time);
	}
}
END_TEST

START_TEST(absurd_times_stay_in_range)
{
	const struct realtime absurd[] = {
		{{{.time = 0, .real = REALTIME_MAX}}, 1},
		{{{.time = REALTIME_MAX, .real = 1}}, 1},
		{{{.time = 0, .real = REALTIME_MAX}, {.time = 1, .real = 1}}, 2},
		{{{.time = 0, .real = 1}, {.time = REALTIME_MAX, .real = REALTIME_MAX}}, 2},
	};
	const nsec_t times[] = {0, 1, 2, SECOND, REALTIME_MAX - 1, REALTIME_MAX, UINT64_MAX};

	for (size_t i = 0; i < ARRAY_SIZE(absurd); i++)
		for (size_t j = 0; j < ARRAY_SIZE(times); j++) {
			ck_assert_uint_le(time_scale_real(&absurd[i], times[j]), REALTIME_MAX);
			ck_assert_uint_le(time_scale_time(&absurd[i], times[j]), REALTIME_MAX);
		}
}
END_TEST

START_TEST(jumps_are_more_than_drift)
{
	const struct {
		nsec_t length, further;
		int64_t jump;
	} cases[] = {
		{SECOND, SECOND, 0},
		{SECOND, SECOND + 1900000, 0},
		{SECOND, SECOND + 2100000, 2100000},
		{SECOND, SECOND - 2100000, -2100000},
		{1000 * SECOND, 1001 * SECOND, 0},
		{SECOND, 3601 * SECOND, 3600 * (int64_t)SECOND},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct realtime realtime = {
			{{.time = 7, .real = NIGHT},
			 {.time = 7 + cases[i].length, .real = NIGHT + cases[i].further}}, 2};

		ck_assert_int_eq(time_scale_jump(&realtime), cases[i].jump);
	}
	ck_assert_int_eq(time_scale_jump(&one), 0);
	ck_assert_int_eq(time_scale_jump(&bent), 10 * (int64_t)SECOND);
}
END_TEST

Suite *time_scale_suite(void)
{
	Suite *suite = suite_create("time_scale");
	TCase *tests = tcase_create("time_scale");

	tcase_add_test(tests, error_is_the_largest_and_what_it_may_grow_between);
	tcase_add_test(tests, clocks_run_evenly_between_pairs);
	tcase_add_test(tests, drift_is_spread);
	tcase_add_test(tests, absurd_times_stay_in_range);
	tcase_add_test(tests, jumps_are_more_than_drift);
	suite_add_tcase(suite, tests);
	return suite;
}
