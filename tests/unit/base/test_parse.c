/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/data/array.h"
#include "base/text/parse.h"
#include "suites.h"

struct parse_case {
	const char *text;
	int status;
	uint64_t value;
};

static void check_cases(const struct parse_case *cases, size_t count,
                        int (*parse)(const char *text, uint64_t *ret))
{
	for (size_t i = 0; i < count; i++) {
		uint64_t value = 4711;

		ck_assert_msg(parse(cases[i].text, &value) == cases[i].status, "\"%s\"",
		              cases[i].text);
		ck_assert_msg(value == (cases[i].status ? 4711 : cases[i].value), "\"%s\": %lu",
		              cases[i].text, (unsigned long)value);
	}
}

START_TEST(whole_numbers_or_nothing)
{
	static const struct parse_case cases[] = {
		{"0", 0, 0},
		{"18446744073709551615", 0, UINT64_MAX},
		{"18446744073709551616", -ERANGE, 0},
		{"0x1f", 0, 31},
		{"0x", -EINVAL, 0},
		{"", -EINVAL, 0},
		{"-1", -EINVAL, 0},
		{"+1", -EINVAL, 0},
		{" 1", -EINVAL, 0},
		{"1 ", -EINVAL, 0},
		{"12a", -EINVAL, 0},
	};

	check_cases(cases, ARRAY_SIZE(cases), parse_u64);
}
END_TEST

START_TEST(sizes_take_units)
{
	static const struct parse_case cases[] = {
		{"65536", 0, 65536},
		{"8M", 0, 8u << 20},
		{"512KiB", 0, 512u << 10},
		{"1.5K", 0, 1536},
		{"1.25M", 0, 1310720},
		{"0.5G", 0, 1u << 29},
		{"10X", -EINVAL, 0},
		{"M", -EINVAL, 0},
		{"1.K", -EINVAL, 0},
		{"99999999999999G", -ERANGE, 0},
	};

	check_cases(cases, ARRAY_SIZE(cases), parse_size);
}
END_TEST

START_TEST(times_take_units)
{
	static const struct parse_case cases[] = {
		{"10", 0, 10000000000},
		{"10s", 0, 10000000000},
		{"1.5s", 0, 1500000000},
		{".25", 0, 250000000},
		{"500ms", 0, 500000000},
		{"20us", 0, 20000},
		{"30ns", 0, 30},
		{"2m", 0, 120000000000},
		{"12.345678901", 0, 12345678901},
		{"12.3456789019", 0, 12345678901},
		{"1d", -EINVAL, 0},
		{"1.5.5", -EINVAL, 0},
		{"-1", -EINVAL, 0},
		{"18446744074", -ERANGE, 0},
	};

	check_cases(cases, ARRAY_SIZE(cases), parse_time);
}
END_TEST

START_TEST(pids_fit)
{
	int32_t pid = 1;

	ck_assert_int_eq(parse_pid("2147483647", &pid), 0);
	ck_assert_int_eq(pid, INT32_MAX);
	ck_assert_int_eq(parse_pid("2147483648", &pid), -ERANGE);
	ck_assert_int_eq(pid, INT32_MAX);
}
END_TEST

START_TEST(percentages_are_parts_of_one)
{
	static const struct {
		const char *text;
		int status;
		double value;
	} cases[] = {
		{"5%", 0, 0.05}, {"5", 0, 0.05},   {"0.5 %", 0, 0.005},  {"100%", 0, 1},
		{"0", 0, 0},     {"250%", 0, 2.5}, {"5%%", -EINVAL, 0},  {"x", -EINVAL, 0},
		{"", -EINVAL, 0}, {"-5%", -EINVAL, 0}, {"5 per cent", -EINVAL, 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double value = 0;

		ck_assert_msg(parse_percent(cases[i].text, &value) == cases[i].status, "\"%s\"",
		              cases[i].text);
		ck_assert_double_eq_tol(value, cases[i].value, 1e-9);
	}
}
END_TEST

Suite *parse_suite(void)
{
	Suite *suite = suite_create("parse");
	TCase *tests = tcase_create("parse");

	tcase_add_test(tests, percentages_are_parts_of_one);
	tcase_add_test(tests, whole_numbers_or_nothing);
	tcase_add_test(tests, sizes_take_units);
	tcase_add_test(tests, times_take_units);
	tcase_add_test(tests, pids_fit);
	suite_add_tcase(suite, tests);
	return suite;
}
