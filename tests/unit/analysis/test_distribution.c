/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/tables/distribution.h"

#include <stdlib.h>

#include "memory_peak.h"
#include "suites.h"

#define VALUES 20000

static uint64_t seed = 7;

static uint64_t next(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed;
}

static int value_compare(const void *a, const void *b)
{
	const nsec_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void check_near(nsec_t reported, nsec_t exact)
{
	nsec_t wrong = reported > exact ? reported - exact : exact - reported;

	ck_assert_msg(wrong <= exact / 16, "%llu for %llu", (unsigned long long)reported,
	              (unsigned long long)exact);
}

/* Against all the values, of any size. */
START_TEST(figures_are_near)
{
	static nsec_t value[VALUES];
	struct distribution distribution = {0};
	struct distribution_sum sum;
	nsec_t total = 0;
	uint64_t counted = 0;

	for (size_t i = 0; i < VALUES; i++) {
		value[i] = (next() >> 16) >> (next() >> 59);
		total += value[i];
		distribution_add(&distribution, value[i], i);
	}
	distribution_sum(&distribution, &sum);
	qsort(value, VALUES, sizeof(value[0]), value_compare);
	ck_assert_uint_eq(sum.count, VALUES);
	ck_assert_uint_eq(sum.total, total);
	ck_assert_uint_eq(sum.min, value[0]);
	ck_assert_uint_eq(sum.max, value[VALUES - 1]);
	check_near(sum.p50, value[VALUES / 2 - 1]);
	check_near(sum.p90, value[VALUES / 10 * 9 - 1]);
	check_near(sum.p99, value[VALUES / 100 * 99 - 1]);
	for (size_t i = 0; i < sum.bucket_count; i++) {
		const struct histogram_bucket *bucket = &sum.bucket[i];
		uint64_t exact = 0;

		ck_assert_uint_gt(bucket->count, 0);
		ck_assert(bucket->from == 0 ? bucket->to == 1 : bucket->to == 2 * bucket->from);
		for (size_t v = 0; v < VALUES; v++)
			exact += value[v] >= bucket->from && value[v] < bucket->to;
		ck_assert_uint_eq(bucket->count, exact);
		counted += exact;
	}
	ck_assert_uint_eq(counted, VALUES);
	distribution_release(&distribution);
}
END_TEST

START_TEST(ends_of_the_range)
{
	struct distribution distribution = {0};
	struct distribution_sum sum;

	distribution_sum(&distribution, &sum);
	ck_assert_uint_eq(sum.count, 0);
	ck_assert_uint_eq(sum.bucket_count, 0);
	distribution_add(&distribution, UINT64_MAX, 5);
	distribution_sum(&distribution, &sum);
	ck_assert_uint_eq(sum.p50, UINT64_MAX);
	ck_assert_uint_eq(sum.bucket[0].from, UINT64_C(1) << 63);
	distribution_add(&distribution, 0, 6);
	distribution_add(&distribution, 1, 7);
	distribution_sum(&distribution, &sum);
	ck_assert_uint_eq(sum.total, UINT64_MAX);
	ck_assert_uint_eq(sum.min, 0);
	ck_assert_uint_eq(sum.p50, 1);
	ck_assert_uint_eq(sum.max_at, 5);
	ck_assert_uint_eq(sum.bucket_count, 3);
	ck_assert_uint_eq(sum.bucket[0].to, 1);
	ck_assert_uint_eq(sum.bucket[1].from, 1);
	ck_assert_uint_eq(sum.bucket[1].to, 2);
	distribution_release(&distribution);
}
END_TEST

/* One value, however large, is its own percentiles. */
START_TEST(one_value_is_exact)
{
	struct distribution distribution = {0};
	struct distribution_sum sum;

	distribution_add(&distribution, 123456789, 1);
	distribution_add(&distribution, 123456789, 2);
	distribution_sum(&distribution, &sum);
	ck_assert_uint_eq(sum.p50, 123456789);
	ck_assert_uint_eq(sum.p99, 123456789);
	ck_assert_uint_eq(sum.max_at, 1);
	distribution_release(&distribution);
}
END_TEST

/* As if all had been added to one. */
START_TEST(merged_is_the_same)
{
	struct distribution one = {0}, other = {0}, all = {0};
	struct distribution_sum merged, added;

	distribution_merge(&one, &other);
	ck_assert_uint_eq(one.count, 0);
	for (size_t i = 0; i < 1000; i++) {
		nsec_t value = next() >> (next() >> 59);

		distribution_add(i % 3 ? &one : &other, value, i);
		distribution_add(&all, value, i);
	}
	distribution_merge(&other, &one);
	distribution_sum(&other, &merged);
	distribution_sum(&all, &added);
	ck_assert_uint_eq(merged.count, added.count);
	ck_assert_uint_eq(merged.total, added.total);
	ck_assert_uint_eq(merged.min, added.min);
	ck_assert_uint_eq(merged.p50, added.p50);
	ck_assert_uint_eq(merged.p99, added.p99);
	ck_assert_uint_eq(merged.max, added.max);
	ck_assert_uint_eq(merged.max_at, added.max_at);
	ck_assert_uint_eq(merged.bucket_count, added.bucket_count);
	distribution_release(&one);
	distribution_release(&other);
	distribution_release(&all);
}
END_TEST

/* As many rows as a fork bomb makes, of a few values each. */
START_TEST(few_values_take_little)
{
	struct distribution *row = calloc(VALUES, sizeof(*row));
	size_t before = memory_peak_mib();

	for (size_t i = 0; i < VALUES; i++)
		for (size_t k = 0; k < 4; k++)
			distribution_add(&row[i], next() >> 32, k);
	memory_check(before, 5u); /* 250 bytes a row */
	for (size_t i = 0; i < VALUES; i++)
		distribution_release(&row[i]);
	free(row);
}
END_TEST

Suite *distribution_suite(void)
{
	Suite *suite = suite_create("distribution");
	TCase *tests = tcase_create("distribution");

	tcase_add_test(tests, figures_are_near);
	tcase_add_test(tests, ends_of_the_range);
	tcase_add_test(tests, one_value_is_exact);
	tcase_add_test(tests, merged_is_the_same);
	tcase_add_test(tests, few_values_take_little);
	suite_add_tcase(suite, tests);
	return suite;
}
