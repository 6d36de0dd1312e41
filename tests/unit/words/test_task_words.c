/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/task_words.h"

#include "base/data/array.h"
#include "ftwait/task.h"
#include "suites.h"

START_TEST(one_scale_for_all_classes)
{
	static const struct {
		int priority;
		const char *words;
	} rows[] = {
		{-1, "deadline"}, {0, "RT 99"},    {19, "RT 80"},  {98, "RT 1"},  {99, "RT 0"},
		{100, "nice -20"}, {115, "nice -5"}, {120, "nice 0"}, {125, "nice 5"}, {139, "nice 19"},
		{PRIORITY_UNKNOWN, ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buffer words;

		buffer_init(&words, 64);
		priority_append(&words, rows[i].priority);
		ck_assert_str_eq(words.text ? words.text : "", rows[i].words);
		buffer_release(&words);
	}
}
END_TEST

Suite *task_words_suite(void)
{
	Suite *suite = suite_create("task_words");
	TCase *tests = tcase_create("task_words");

	tcase_add_test(tests, one_scale_for_all_classes);
	suite_add_tcase(suite, tests);
	return suite;
}
