/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/format.h"
#include "suites.h"

static void check_unsigned(uint64_t value)
{
	char expected[32], to[DIGITS_MAX + 1];
	char *end;

	(void)snprintf(expected, sizeof(expected), "%" PRIu64, value);
	memset(to, '#', sizeof(to));
	end = digits_put(to, value);
	ck_assert((size_t)(end - to) == strlen(expected));
	ck_assert(*end == '#');
	*end = '\0';
	ck_assert(strcmp(to, expected) == 0);
}

/* On both sides of every power of two and of ten, where counts of digits change. */
START_TEST(digits_are_those_of_printf)
{
	for (unsigned bit = 0; bit < 64; bit++)
		for (int beside = -2; beside <= 2; beside++)
			check_unsigned((UINT64_C(1) << bit) + (uint64_t)beside);
	for (uint64_t power = 1; power < UINT64_MAX / 10; power *= 10)
		for (int beside = -1; beside <= 1; beside++)
			check_unsigned(power * 10 + (uint64_t)beside);
	for (uint64_t value = 0; value < 20000; value++)
		check_unsigned(value);
	check_unsigned(UINT64_MAX);
}
END_TEST

START_TEST(last_digits_have_zeros_in_front)
{
	static const struct {
		uint64_t value;
		unsigned width;
		const char *text;
	} cases[] = {
		{7, 1, "7"},
		{7, 3, "007"},
		{0, 6, "000000"},
		{999, 3, "999"},
		{123456, 6, "123456"},
		{1234567, 3, "567"},
		{5, 0, ""},
		{UINT64_MAX, 20, "18446744073709551615"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char to[32] = "";

		ck_assert_ptr_eq(digits_put_last(to, cases[i].value, cases[i].width),
		                 to + cases[i].width);
		ck_assert_str_eq(to, cases[i].text);
	}
}
END_TEST

Suite *digits_suite(void)
{
	Suite *suite = suite_create("digits");
	TCase *tests = tcase_create("digits");

	tcase_add_test(tests, digits_are_those_of_printf);
	tcase_add_test(tests, last_digits_have_zeros_in_front);
	suite_add_tcase(suite, tests);
	return suite;
}
