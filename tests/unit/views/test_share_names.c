/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/summary/cost_list.h"

#include <string.h>

#include "suites.h"

static struct timeline timeline;
static const struct question question = {.timeline = &timeline};
static struct cost_list list;

static void list_begin(const char *const *names, size_t count)
{
	timeline_init(&timeline, /* keep_segments= */ false);
	cost_list_init(&list, &question);
	for (size_t i = 0; i < count; i++)
		cost_list_add(&list, COST_RUNNING,
		              intern_add(&timeline.names, names[i], strlen(names[i])), 100 - i);
	cost_list_sort(&list);
}

static void list_end(void)
{
	cost_list_release(&list);
	timeline_release(&timeline);
}

START_TEST(many_of_one_stem_are_one)
{
	static const char *const names[] = {"main", "worker-1", "worker-22", "io", "worker-3"};
	struct name_share reported[NAME_SHARES_MAX];

	list_begin(names, 5);
	ck_assert_uint_eq(shares_fold(&timeline, &list.cost[0], reported), 3);
	/* 99, 98 and 96 of the workers are more than 100 of main */
	ck_assert_uint_eq(reported[0].count, 3);
	ck_assert_uint_eq(reported[0].total, 293);
	ck_assert_str_eq(reported[0].name, "worker-*");
	ck_assert_str_eq(reported[1].name, "main");
	ck_assert_str_eq(reported[2].name, "io");
	ck_assert_uint_eq(reported[2].count, 1);
	list_end();
}
END_TEST

START_TEST(few_and_bare_numbers_stay)
{
	static const char *const names[] = {"a1", "a2", "1", "2", "3", "b"};
	struct name_share reported[NAME_SHARES_MAX];

	list_begin(names, 6);
	ck_assert_uint_eq(shares_fold(&timeline, &list.cost[0], reported), 6);
	list_end();
}
END_TEST

Suite *share_names_suite(void)
{
	Suite *suite = suite_create("share_names");
	TCase *tests = tcase_create("share_names");

	tcase_add_test(tests, many_of_one_stem_are_one);
	tcase_add_test(tests, few_and_bare_numbers_stay);
	suite_add_tcase(suite, tests);
	return suite;
}
