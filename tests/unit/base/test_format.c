/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/format.h"
#include "suites.h"

START_TEST(durations_carry_their_unit)
{
	static const struct {
		nsec_t duration;
		const char *text;
	} cases[] = {
		{0, "0"},
		{1, "1 ns"},
		{999, "999 ns"},
		{1000, "1.000 us"},
		{5302, "5.302 us"},
		{999999, "999.999 us"},
		{12840000, "12.840 ms"},
		{1204000000, "1.204 s"},
		{3600000000000, "3600.000 s"},
	};
	char text[FORMAT_BYTES];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_str_eq(format_duration(cases[i].duration, text), cases[i].text);
	/* The longest there is must fit. */
	ck_assert_str_eq(format_duration(UINT64_MAX, text), "18446744073.709 s");
}
END_TEST

START_TEST(instants_have_microseconds)
{
	char text[FORMAT_BYTES];

	ck_assert_str_eq(format_instant(0, text), "0.000000");
	ck_assert_str_eq(format_instant(12345678999, text), "12.345678");
	ck_assert_str_eq(format_instant(UINT64_MAX, text), "18446744073.709551");
}
END_TEST

START_TEST(sizes_are_binary)
{
	char text[FORMAT_BYTES];

	ck_assert_str_eq(format_size(512, text), "512 B");
	ck_assert_str_eq(format_size(1536, text), "1.5 KiB");
	ck_assert_str_eq(format_size(20u << 20, text), "20.0 MiB");
	ck_assert_str_eq(format_size(UINT64_MAX, text), "16777216.0 TiB");
}
END_TEST

static void check_size_rounds(uint64_t bytes)
{
	static const char *const unit[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	char text[FORMAT_BYTES], expected[FORMAT_BYTES];
	double value = (double)bytes;
	unsigned at = 0;

	for (; value >= 1024 && at < 4; at++)
		value /= 1024;
	(void)snprintf(expected, sizeof(expected), at ? "%.1f %s" : "%.0f %s", value, unit[at]);
	ck_assert(strcmp(format_size(bytes, text), expected) == 0);
}

/* As printf() rounds: halves to the even tenth, and up into the next whole one. */
START_TEST(sizes_are_rounded_as_printf_does)
{
	char text[FORMAT_BYTES];

	ck_assert_str_eq(format_size(0, text), "0 B");
	ck_assert_str_eq(format_size(1023, text), "1023 B");
	ck_assert_str_eq(format_size(1280, text), "1.2 KiB"); /* 1.25 */
	ck_assert_str_eq(format_size(1792, text), "1.8 KiB"); /* 1.75 */
	ck_assert_str_eq(format_size((1 << 20) - 1, text), "1024.0 KiB");
	for (uint64_t bytes = 0; bytes < 200000; bytes++)
		check_size_rounds(bytes);
	for (unsigned bit = 10; bit < 52; bit++)
		for (uint64_t part = 1; part <= 80; part++)
			for (uint64_t beside = 0; beside <= 2; beside++)
				check_size_rounds((UINT64_C(1) << bit) +
				                  ((UINT64_C(1) << bit) * part / 80) + beside - 1);
}
END_TEST

START_TEST(counts_are_grouped)
{
	char text[FORMAT_BYTES];

	ck_assert_str_eq(format_count(0, text), "0");
	ck_assert_str_eq(format_count(999, text), "999");
	ck_assert_str_eq(format_count(1000, text), "1,000");
	ck_assert_str_eq(format_count(1234567, text), "1,234,567");
	ck_assert_str_eq(format_count(UINT64_MAX, text), "18,446,744,073,709,551,615");
}
END_TEST

START_TEST(devices_have_two_numbers)
{
	char text[FORMAT_BYTES];

	ck_assert_str_eq(format_device(0, text), "0,0");
	ck_assert_str_eq(format_device(254u << 20 | 3, text), "254,3");
	ck_assert_str_eq(format_device(UINT32_MAX, text), "4095,1048575");
}
END_TEST

START_TEST(ratios_are_percentages)
{
	char text[FORMAT_BYTES];

	ck_assert_str_eq(format_ratio(0.375, text), "37.5 %");
	ck_assert_str_eq(format_ratio(1, text), "100.0 %");
}
END_TEST

Suite *format_suite(void)
{
	Suite *suite = suite_create("format");
	TCase *tests = tcase_create("format");

	tcase_add_test(tests, durations_carry_their_unit);
	tcase_add_test(tests, instants_have_microseconds);
	tcase_add_test(tests, sizes_are_binary);
	tcase_add_test(tests, sizes_are_rounded_as_printf_does);
	tcase_add_test(tests, counts_are_grouped);
	tcase_add_test(tests, devices_have_two_numbers);
	tcase_add_test(tests, ratios_are_percentages);
	suite_add_tcase(suite, tests);
	return suite;
}
