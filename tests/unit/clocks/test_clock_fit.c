/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "clocks/clock_fit.h"

#include "base/data/array.h"
#include "suites.h"

#define US     UINT64_C(1000)
#define SECOND UINT64_C(1000000000)

static struct clock_talk talk_of(const struct clock_message *there, size_t there_count,
                                 const struct clock_message *back, size_t back_count)
{
	return (struct clock_talk){
		.there = there,
		.there_count = there_count,
		.back = back,
		.back_count = back_count,
		.first_begin = 50 * SECOND,
		.first_end = 60 * SECOND,
		.second_begin = 10 * SECOND,
		.second_end = 20 * SECOND,
	};
}

/* The first clock is 40 s ahead. */
START_TEST(offset_is_between_the_quickest_messages)
{
	const struct clock_message there[] = {
		{51 * SECOND, 11 * SECOND + 900 * US},
		{55 * SECOND, 15 * SECOND + 100 * US},
		{59 * SECOND, 19 * SECOND + 120 * US},
	};
	const struct clock_message back[] = {
		{11 * SECOND, 51 * SECOND + 80 * US},
		{15 * SECOND, 55 * SECOND + 60 * US},
		{19 * SECOND, 59 * SECOND + 60 * US},
	};
	struct clock_talk talk = talk_of(there, ARRAY_SIZE(there), back, ARRAY_SIZE(back));
	struct clock_fit fit;

	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_FOUND);
	ck_assert_int_eq(fit.line.slope, 0);
	ck_assert_int_eq(fit.line.offset, (int64_t)(40 * SECOND - 20 * US));
	/* 80 us at 15 s; a slope within what the messages at 19 s allow makes it more at 20 s */
	ck_assert_uint_ge(fit.bound, 80 * US);
	ck_assert_uint_le(fit.bound, 400 * US);
	ck_assert_int_lt(fit.slope_least, 0);
	ck_assert_int_gt(fit.slope_most, 0);
}
END_TEST

/* The first clock loses 400 ppm on the second one, but one of the messages there is so slow that
   0 ppm are possible, too. By that the first recording begins 40 ms after the second one; in truth
   they begin together. */
START_TEST(bound_holds_since_any_possible_line_lets_both_record)
{
	const struct clock_message there[] = {
		{1001 * SECOND - 44400 * US, 11 * SECOND},
		{1099 * SECOND - 39600 * US, 109 * SECOND + 10 * US},
	};
	const struct clock_message back[] = {
		{11 * SECOND, 1001 * SECOND - 390 * US},
		{60 * SECOND, 1050 * SECOND - 19990 * US},
		{109 * SECOND, 1099 * SECOND - 39590 * US},
	};
	struct clock_talk talk = talk_of(there, ARRAY_SIZE(there), back, ARRAY_SIZE(back));
	struct clock_fit fit;

	talk.first_begin = 1000 * SECOND;
	talk.first_end = 1100 * SECOND - 40000 * US;
	talk.second_end = 110 * SECOND;
	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_FOUND);
	ck_assert_int_eq(fit.line.slope, 0);
	ck_assert_int_le((int64_t)(990 * SECOND) - clock_line_shift(&fit.line, talk.second_begin),
	                 (int64_t)fit.bound);
	ck_assert_uint_le(fit.bound, 39650 * US);
}
END_TEST

/* The first clock loses 450 ppm on the second one. That is the steepest line that fits, and so at
   the end the chosen one is off by all of the bound. */
START_TEST(bound_holds_from_the_side_of_the_first_machine)
{
	const struct clock_message there[] = {
		{1001 * SECOND - 2450 * US, 11 * SECOND},
		{1099 * SECOND - 44550 * US, 109 * SECOND},
	};
	const struct clock_message back[] = {
		{11 * SECOND, 1001 * SECOND - 450 * US},
		{109 * SECOND, 1099 * SECOND - 42550 * US},
	};
	struct clock_talk talk = talk_of(there, ARRAY_SIZE(there), back, ARRAY_SIZE(back));
	struct clock_line inverse;
	struct clock_fit fit;
	int64_t error;

	talk.first_begin = 1000 * SECOND;
	talk.first_end = 1100 * SECOND - 45000 * US;
	talk.second_end = 110 * SECOND;
	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_FOUND);
	ck_assert_int_lt(fit.line.slope, 0);
	inverse = clock_line_inverse(&fit.line);
	error = (int64_t)(talk.second_end - talk.first_end) -
	        clock_line_shift(&inverse, talk.first_end);
	ck_assert_int_gt(error, 1000 * (int64_t)US);
	/* to within what lines are rounded by */
	ck_assert_int_le(error, (int64_t)fit.bound + 8);
}
END_TEST

/* The first clock gains 40 ppm on the second one, which no single offset can be. */
START_TEST(slope_is_found_where_it_shows)
{
	struct clock_message there[100], back[100];
	const int64_t ppm = (INT64_C(1) << CLOCK_SLOPE_BITS) / 1000000;
	struct clock_talk talk = talk_of(there, ARRAY_SIZE(there), back, ARRAY_SIZE(back));
	struct clock_fit fit;

	for (size_t i = 0; i < ARRAY_SIZE(there); i++) {
		nsec_t since = i * SECOND, drift = since / 1000000 * 40;

		there[i] = (struct clock_message){1000 * SECOND + since + drift - 100 * US,
		                                  10 * SECOND + since};
		back[i] = (struct clock_message){10 * SECOND + since,
		                                 1000 * SECOND + since + drift + 100 * US};
	}
	talk.first_begin = 1000 * SECOND;
	talk.first_end = 1100 * SECOND;
	talk.second_end = 110 * SECOND;
	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_FOUND);
	ck_assert_int_gt(fit.line.slope, 38 * ppm);
	ck_assert_int_lt(fit.line.slope, 42 * ppm);
	ck_assert_uint_le(fit.bound, 110 * US);
	ck_assert_int_le(clock_line_shift(&fit.line, 60 * SECOND) -
	                         (int64_t)(990 * SECOND + 2000 * US), 10000);
	ck_assert_uint_eq(clock_line_back(&fit.line, 60 * SECOND +
	                                  (nsec_t)clock_line_shift(&fit.line, 60 * SECOND)),
	                  60 * SECOND);
}
END_TEST

START_TEST(impossible_messages_are_refused)
{
	const struct clock_message there[] = {{51 * SECOND, 11 * SECOND}};
	const struct clock_message early[] = {{11 * SECOND, 51 * SECOND - 20 * 1000 * US}};
	const struct clock_message late[] = {{19 * SECOND, 59 * SECOND - 20 * 1000 * US}};
	const struct clock_message possible[] = {{19 * SECOND, 59 * SECOND - 3 * 1000 * US}};
	struct clock_talk talk = talk_of(there, 1, early, 1);
	struct clock_fit fit;

	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_CONTRADICTS);
	talk = talk_of(there, 1, late, 1);
	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_CONTRADICTS);
	/* 375 ppm */
	talk = talk_of(there, 1, possible, 1);
	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_FOUND);
	ck_assert_int_lt(fit.line.slope, 0);
}
END_TEST

START_TEST(both_directions_are_needed)
{
	const struct clock_message message[] = {{51 * SECOND, 11 * SECOND}};
	struct clock_talk talk = talk_of(message, 1, NULL, 0);
	struct clock_fit fit;

	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_ONE_WAY);
	talk = talk_of(NULL, 0, message, 1);
	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_ONE_WAY);
	talk = talk_of(NULL, 0, NULL, 0);
	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_ONE_WAY);
}
END_TEST

START_TEST(absurd_times_are_ignored)
{
	const struct clock_message there[] = {
		{51 * SECOND, 11 * SECOND + 100 * US}, {UINT64_MAX, 12 * SECOND},
		{0, UINT64_MAX}, {51 * SECOND, UINT64_MAX / 2}, {UINT64_MAX / 2, 0},
	};
	const struct clock_message back[] = {
		{11 * SECOND, 51 * SECOND + 100 * US}, {UINT64_MAX, 0}, {0, UINT64_MAX / 2},
	};
	struct clock_talk talk = talk_of(there, ARRAY_SIZE(there), back, ARRAY_SIZE(back));
	struct clock_fit fit;

	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_FOUND);
	ck_assert_int_eq(fit.line.offset, (int64_t)(40 * SECOND));
}
END_TEST

START_TEST(recordings_one_after_the_other_have_a_bound)
{
	const struct clock_message there[] = {{51 * SECOND, 11 * SECOND + 100 * US}};
	const struct clock_message back[] = {{11 * SECOND, 51 * SECOND + 100 * US}};
	struct clock_talk talk = talk_of(there, 1, back, 1);
	struct clock_fit fit;

	talk.first_begin = 70 * SECOND;
	talk.first_end = 80 * SECOND;
	ck_assert_int_eq(clock_fit_find(&talk, &fit), CLOCK_FIT_FOUND);
	/* 19 s after the messages with 500 ppm */
	ck_assert_uint_ge(fit.bound, 9500 * US);
	ck_assert_uint_le(fit.bound, 9700 * US);
}
END_TEST

Suite *clock_fit_suite(void)
{
	Suite *suite = suite_create("clock_fit");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, offset_is_between_the_quickest_messages);
	tcase_add_test(tcase, bound_holds_since_any_possible_line_lets_both_record);
	tcase_add_test(tcase, bound_holds_from_the_side_of_the_first_machine);
	tcase_add_test(tcase, slope_is_found_where_it_shows);
	tcase_add_test(tcase, impossible_messages_are_refused);
	tcase_add_test(tcase, both_directions_are_needed);
	tcase_add_test(tcase, absurd_times_are_ignored);
	tcase_add_test(tcase, recordings_one_after_the_other_have_a_bound);
	suite_add_tcase(suite, tcase);
	return suite;
}
