/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machines/machines.h"

#include "base/data/array.h"
#include "suites.h"

START_TEST(turns_bound_the_clock)
{
	static const struct clock_reading readings[] = {{1000, 501020}, {1040, 501060}};
	const struct source source = {.readings = readings, .reading_count = 2};
	struct clock_fit fit;

	ck_assert(clock_readings_fit(&source, 1000, 1040, &fit));
	ck_assert_int_eq(clock_line_shift(&fit.line, 1000), 500000);
	ck_assert_uint_eq(fit.bound, 20);
}
END_TEST

START_TEST(the_common_clock_needs_no_readings)
{
	const struct source source = {.has_common_clock = true};
	struct clock_fit fit;

	ck_assert(clock_readings_fit(&source, 1000, 2000, &fit));
	ck_assert_int_eq(clock_line_shift(&fit.line, 1000), 0);
	ck_assert_uint_eq(fit.bound, 0);
}
END_TEST

START_TEST(one_reading_bounds_nothing)
{
	static const struct clock_reading reading = {1000, 501020};
	const struct source source = {.readings = &reading, .reading_count = 1};
	struct clock_fit fit;

	ck_assert(!clock_readings_fit(&source, 1000, 2000, &fit));
	ck_assert(!clock_readings_fit(&(struct source){0}, 1000, 2000, &fit));
}
END_TEST

START_TEST(readings_that_no_clock_has_are_refused)
{
	/* the second one is before the first one on the common clock */
	static const struct clock_reading readings[] = {{1000, 501020}, {1040, 400000}};
	const struct source source = {.readings = readings, .reading_count = 2};
	struct clock_fit fit;

	ck_assert(!clock_readings_fit(&source, 1000, 2000, &fit));
}
END_TEST

Suite *clock_readings_suite(void)
{
	Suite *suite = suite_create("clock_readings");
	TCase *tcase = tcase_create("fit");

	tcase_add_test(tcase, turns_bound_the_clock);
	tcase_add_test(tcase, the_common_clock_needs_no_readings);
	tcase_add_test(tcase, one_reading_bounds_nothing);
	tcase_add_test(tcase, readings_that_no_clock_has_are_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}
