/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/disk/disk_request.h"

#include "suites.h"

static nsec_t reported;

static void on_new(void *state, nsec_t begin, nsec_t end)
{
	(void)state;
	ck_assert_uint_lt(begin, end);
	reported += end - begin;
}

static void add(struct coverage *coverage, nsec_t begin, nsec_t end)
{
	coverage_add(coverage, begin, end, on_new, NULL);
	ck_assert_uint_eq(coverage->total, reported);
}

START_TEST(overlaps_count_once)
{
	struct coverage coverage = {0};

	reported = 0;
	ck_assert_uint_eq(coverage_end(&coverage), 0);
	add(&coverage, 10, 20);
	add(&coverage, 12, 20);
	ck_assert_uint_eq(coverage.total, 10);
	add(&coverage, 20, 25);
	ck_assert_uint_eq(coverage.count, 1);
	add(&coverage, 30, 40);
	add(&coverage, 50, 60);
	ck_assert_uint_eq(coverage_within(&coverage, 15, 55), 10 + 10 + 5);
	ck_assert_uint_eq(coverage_within(&coverage, 25, 30), 0);
	/* across both gaps, into the first stretch */
	add(&coverage, 22, 70);
	ck_assert_uint_eq(coverage.total, 60);
	ck_assert_uint_eq(coverage.count, 1);
	add(&coverage, 0, 71);
	ck_assert_uint_eq(coverage.total, 71);
	add(&coverage, 71, 71);
	ck_assert_uint_eq(coverage.total, 71);
	coverage_release(&coverage);
}
END_TEST

START_TEST(only_young_gaps_are_remembered)
{
	struct coverage coverage = {0};
	nsec_t end = 0;

	reported = 0;
	for (unsigned i = 0; i < 3 * COVERAGE_GAPS_MAX; i++, end += 10)
		add(&coverage, end, end + 5);
	ck_assert_uint_le(coverage.count, COVERAGE_GAPS_MAX);
	ck_assert_uint_gt(coverage.since, 0);
	add(&coverage, 0, end);
	/* what is forgotten is neither new nor lost */
	ck_assert_uint_ge(coverage.total, (nsec_t)COVERAGE_GAPS_MAX * 3 * 5);
	ck_assert_uint_le(coverage.total, end);
	coverage_release(&coverage);
}
END_TEST

Suite *coverage_suite(void)
{
	Suite *suite = suite_create("coverage");
	TCase *tests = tcase_create("coverage");

	tcase_add_test(tests, overlaps_count_once);
	tcase_add_test(tests, only_young_gaps_are_remembered);
	suite_add_tcase(suite, tests);
	return suite;
}
