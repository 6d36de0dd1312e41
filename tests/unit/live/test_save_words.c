/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live/top_words.h"

#include "base/cleanup.h"
#include "base/data/array.h"
#include "suites.h"

START_TEST(names_are_times_of_day)
{
	static const struct {
		struct tm time;
		unsigned attempt;
		const char *expected;
	} cases[] = {
		{{.tm_hour = 12, .tm_min = 41, .tm_sec = 7}, 1, "ftwait-124107.dat"},
		{{.tm_hour = 12, .tm_min = 41, .tm_sec = 7}, 2, "ftwait-124107-2.dat"},
		{{.tm_hour = 0}, 1, "ftwait-000000.dat"},
		{{.tm_hour = 23, .tm_min = 59, .tm_sec = 60}, 100, "ftwait-235960-100.dat"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(buffer_release) struct buffer name = {0};

		buffer_init(&name, 100);
		save_name_append(&name, &cases[i].time, cases[i].attempt);
		ck_assert_str_eq(name.text, cases[i].expected);
	}
}
END_TEST

START_TEST(results_say_what_is_in_the_file)
{
	_cleanup_(buffer_release) struct buffer text = {0};

	buffer_init(&text, 200);
	save_result_append(&text, UINT64_C(30249000000), 41u << 20, "a.dat", false);
	ck_assert_str_eq(text.text, "30.2 s, 41.0 MiB -> a.dat");
	buffer_clear(&text);
	save_result_append(&text, UINT64_C(6100000000), 900, "a.dat", true);
	ck_assert_str_eq(text.text, "6.1 s (too little memory for more), 900 B -> a.dat");
}
END_TEST

Suite *save_words_suite(void)
{
	Suite *suite = suite_create("save_words");
	TCase *tests = tcase_create("save_words");

	tcase_add_test(tests, names_are_times_of_day);
	tcase_add_test(tests, results_say_what_is_in_the_file);
	suite_add_tcase(suite, tests);
	return suite;
}
