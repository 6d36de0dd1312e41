/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/data/array.h"
#include "base/text/suggest.h"
#include "suites.h"

static const char *const words[] = {"record", "report", NULL, "list", "doctor", "cleanup", "help"};

static const char *near(const char *word)
{
	const char *found = suggest(word, words, ARRAY_SIZE(words));

	return found ? found : "-";
}

START_TEST(typing_errors_are_seen)
{
	ck_assert_str_eq(near("reprot"), "report");
	ck_assert_str_eq(near("recrod"), "record");
	ck_assert_str_eq(near("rceord"), "record");
	ck_assert_str_eq(near("lits"), "list");
	ck_assert_str_eq(near("hepl"), "help");
	ck_assert_str_eq(near("dector"), "doctor");
	ck_assert_str_eq(near("cleanups"), "cleanup");
}
END_TEST

START_TEST(beginnings_are_seen)
{
	ck_assert_str_eq(near("clea"), "cleanup");
	ck_assert_str_eq(near("rec"), "record");
}
END_TEST

START_TEST(capital_letters_are_no_mistake)
{
	ck_assert_str_eq(near("Record"), "record");
	ck_assert_str_eq(near("DOCTOR"), "doctor");
	ck_assert_str_eq(near("REPROT"), "report");
	ck_assert_str_eq(near("CLEA"), "cleanup");
}
END_TEST

START_TEST(far_words_are_not)
{
	char long_word[200];

	ck_assert_str_eq(near(""), "-");
	ck_assert_str_eq(near("x"), "-");
	ck_assert_str_eq(near("timehist"), "-");
	/* half of a short word is different */
	ck_assert_str_eq(near("hint"), "-");
	ck_assert_str_eq(near("lost"), "list");
	ck_assert_str_eq(near("mist"), "list");
	ck_assert_str_eq(near("hero"), "-");
	ck_assert_ptr_null(suggest("list", NULL, 0));
	memset(long_word, 'r', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	ck_assert_str_eq(near(long_word), "-");
}
END_TEST

Suite *suggest_suite(void)
{
	Suite *suite = suite_create("suggest");
	TCase *tests = tcase_create("suggest");

	tcase_add_test(tests, typing_errors_are_seen);
	tcase_add_test(tests, beginnings_are_seen);
	tcase_add_test(tests, capital_letters_are_no_mistake);
	tcase_add_test(tests, far_words_are_not);
	suite_add_tcase(suite, tests);
	return suite;
}
