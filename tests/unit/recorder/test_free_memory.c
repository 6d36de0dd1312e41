/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/data/array.h"
#include "recorder/machine/machine_notes.h"
#include "suites.h"

START_TEST(what_is_available_counts)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} cases[] = {
		{"MemTotal: 100 kB\nMemFree: 10 kB\nMemAvailable:   24000000 kB\nBuffers: 1 kB\n",
		 24576000000},
		{"MemAvailable: 7 kB\n", 7168},
		{"MemTotal: 100 kB\nMemFree: 10 kB\n", 0}, /* before Linux 3.14 */
		{"NotMemAvailable: 7 kB\n", 0},
		{"MemAvailable: many kB\n", 0},
		{"MemAvailable: 18446744073709551615 kB\n", 0},
		{"", 0},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		ck_assert_uint_eq(free_memory_parse(cases[i].text), cases[i].bytes);
}
END_TEST

START_TEST(this_machine_has_some)
{
	ck_assert_uint_gt(free_memory_bytes(), 0);
}
END_TEST

Suite *free_memory_suite(void)
{
	Suite *suite = suite_create("free_memory");
	TCase *tests = tcase_create("free_memory");

	tcase_add_test(tests, what_is_available_counts);
	tcase_add_test(tests, this_machine_has_some);
	suite_add_tcase(suite, tests);
	return suite;
}
