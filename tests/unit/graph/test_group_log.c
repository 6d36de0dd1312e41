/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/logs/process_log.h"
#include "suites.h"

/* The path's id of process 7 at that time; 0: not known. */
static uint32_t path_at(const struct group_log *log, nsec_t t)
{
	const struct stay *stay = stay_log_at(&log->stays, 7, t);

	return stay ? stay->text : 0;
}

START_TEST(a_stay_lasts_until_the_next)
{
	struct group_log log = {0};

	ck_assert_uint_eq(path_at(&log, 5), 0);
	group_log_begin(&log, 7, &(struct stay){.since = 10, .text = 1});
	group_log_begin(&log, 8, &(struct stay){.since = 11, .text = 5});
	group_log_move(&log, 7, &(struct stay){.since = 20, .text = 2});
	ck_assert_uint_eq(path_at(&log, 9), 0);
	ck_assert_uint_eq(path_at(&log, 10), 1);
	ck_assert_uint_eq(path_at(&log, 19), 1);
	ck_assert_uint_eq(path_at(&log, 20), 2);
	ck_assert_uint_eq(path_at(&log, NSEC_NEVER), 2);
	/* the same again is no stay of its own */
	group_log_move(&log, 7, &(struct stay){.since = 30, .text = 2});
	ck_assert_uint_eq(log.stays.count, 3);
	stay_log_release(&log.stays);
}
END_TEST

START_TEST(one_hierarchy_counts)
{
	static const uint32_t ranked[] = {0, 9, 4};
	struct group_log log = {0};

	group_log_rank(&log, ranked, 3);
	group_log_begin(&log, 7,
	                &(struct stay){.text = 1, .hierarchy = 9, .is_root = true});
	/* of lower rank, but the process is in the root of the higher one */
	group_log_move(&log, 7, &(struct stay){.since = 1, .text = 2, .hierarchy = 4});
	ck_assert_uint_eq(path_at(&log, 1), 2);
	group_log_move(&log, 7, &(struct stay){.since = 2, .text = 3, .hierarchy = 0});
	ck_assert_uint_eq(path_at(&log, 2), 3);
	group_log_move(&log, 7, &(struct stay){.since = 3, .text = 4, .hierarchy = 9});
	group_log_move(&log, 7, &(struct stay){.since = 4, .text = 5, .hierarchy = 5});
	group_log_move(&log, 7, &(struct stay){
		                        .since = 5, .text = 6, .hierarchy = 4, .is_root = true});
	ck_assert_uint_eq(path_at(&log, 5), 3);
	stay_log_release(&log.stays);
}
END_TEST

START_TEST(stays_are_limited)
{
	struct group_log log = {0};

	for (uint32_t i = 0; i < GROUP_STAYS_MAX + 3; i++)
		group_log_move(&log, 7, &(struct stay){.since = i, .text = 1 + i});
	ck_assert_uint_eq(log.left_out, 3);
	ck_assert_uint_eq(path_at(&log, NSEC_NEVER), GROUP_STAYS_MAX);
	stay_log_release(&log.stays);
}
END_TEST

Suite *group_log_suite(void)
{
	Suite *suite = suite_create("group_log");
	TCase *tests = tcase_create("group_log");

	tcase_add_test(tests, a_stay_lasts_until_the_next);
	tcase_add_test(tests, one_hierarchy_counts);
	tcase_add_test(tests, stays_are_limited);
	suite_add_tcase(suite, tests);
	return suite;
}
