/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>

#include "base/data/intern.h"
#include "suites.h"

START_TEST(equal_bytes_give_one_id)
{
	struct intern intern;
	uint32_t a, b;

	intern_init(&intern);
	ck_assert_uint_eq(intern_adds(&intern, ""), 0);
	a = intern_adds(&intern, "mysqld");
	b = intern_add(&intern, "mysqld-extra", 6);
	ck_assert_uint_eq(a, b);
	ck_assert_uint_ne(a, intern_adds(&intern, "mysql"));
	ck_assert_str_eq(intern_text(&intern, a), "mysqld");
	intern_release(&intern);
}
END_TEST

START_TEST(pointers_survive_growth)
{
	struct intern intern;
	const char *first;
	char word[32];

	intern_init(&intern);
	first = intern_text(&intern, intern_adds(&intern, "first"));
	for (int i = 0; i < 100000; i++) {
		(void)snprintf(word, sizeof(word), "w%d", i);
		(void)intern_adds(&intern, word);
	}
	ck_assert_ptr_eq(first, intern_text(&intern, intern_adds(&intern, "first")));
	ck_assert_str_eq(first, "first");
	for (int i = 0; i < 100000; i += 9999) {
		(void)snprintf(word, sizeof(word), "w%d", i);
		ck_assert_str_eq(intern_text(&intern, intern_adds(&intern, word)), word);
	}
	intern_release(&intern);
}
END_TEST

Suite *intern_suite(void)
{
	Suite *suite = suite_create("intern");
	TCase *tests = tcase_create("intern");

	tcase_add_test(tests, equal_bytes_give_one_id);
	tcase_add_test(tests, pointers_survive_growth);
	suite_add_tcase(suite, tests);
	return suite;
}
