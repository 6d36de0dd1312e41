/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The expected p values are sums of binomial coefficients, by fractions of whole numbers. */
#include "stats/far_values.h"

#include "base/data/array.h"
#include "suites.h"

START_TEST(quartiles_are_values)
{
	const uint64_t odd[] = {1, 2, 3, 4, 5, 6, 7}, even[] = {10, 20, 30, 40};
	struct quartiles of_odd = quartiles_of(odd, ARRAY_SIZE(odd));
	struct quartiles of_even = quartiles_of(even, ARRAY_SIZE(even));

	ck_assert_uint_eq(of_odd.low, 2);
	ck_assert_uint_eq(of_odd.median, 4);
	ck_assert_uint_eq(of_odd.high, 6);
	ck_assert_uint_eq(of_odd.fence, 18);
	ck_assert_uint_eq(of_even.low, 10);
	ck_assert_uint_eq(of_even.median, 20);
	ck_assert_uint_eq(of_even.high, 30);
	ck_assert_uint_eq(of_even.fence, 90);
}
END_TEST

START_TEST(few_values_have_quartiles)
{
	const uint64_t one[] = {7};
	struct quartiles none = quartiles_of(NULL, 0), single = quartiles_of(one, 1);

	ck_assert_uint_eq(none.median, 0);
	ck_assert_uint_eq(none.fence, 0);
	ck_assert_uint_eq(single.low, 7);
	ck_assert_uint_eq(single.fence, 7);
}
END_TEST

START_TEST(a_fence_saturates)
{
	const uint64_t wide[] = {0, 0, UINT64_MAX / 2, UINT64_MAX / 2};

	ck_assert_uint_eq(quartiles_of(wide, ARRAY_SIZE(wide)).fence, UINT64_MAX);
}
END_TEST

START_TEST(quantiles_are_ranks)
{
	uint64_t value[200];

	for (size_t i = 0; i < ARRAY_SIZE(value); i++)
		value[i] = i + 1;
	ck_assert_uint_eq(sorted_quantile(value, 200, 0.99), 198);
	ck_assert_uint_eq(sorted_quantile(value, 200, 1), 200);
	ck_assert_uint_eq(sorted_quantile(value, 99, 0.99), 99);
	ck_assert_uint_eq(sorted_quantile(value, 200, 1e-9), 1);
	ck_assert_uint_eq(sorted_quantile(NULL, 0, 0.99), 0);
}
END_TEST

START_TEST(p_is_exact)
{
	const struct {
		struct occurrence of;
		double p;
	} cases[] = {
		/* the lady who tastes tea */
		{{4, 4, 4, 8}, 1.0 / 70},
		{{3, 4, 4, 8}, 17.0 / 70},
		{{0, 4, 4, 8}, 1},
		{{0, 0, 0, 0}, 1},
		{{2, 3, 5, 60}, 0.016364699006429},
		{{30, 30, 40, 3000}, 1.26306157930432e-63},
		{{3, 9, 241, 3000}, 0.0298972852763799},
		{{1, 40, 40, 3000}, 0.417523063298086},
		{{50, 60, 60, 60}, 1}, /* of these at least 60 are both */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double p = occurrence_p(&cases[i].of);

		ck_assert_double_eq_tol(p / cases[i].p, 1, 1e-9);
	}
}
END_TEST

/* Of 65,536 units, the most that there can be. */
START_TEST(p_of_many_is_finite)
{
	const struct occurrence most = {30000, 32768, 32768, 65536};
	const struct occurrence least = {1, 32768, 32768, 65536};

	ck_assert_double_ge(occurrence_p(&most), 0);
	ck_assert_double_lt(occurrence_p(&most), 1e-300);
	ck_assert_double_eq_tol(occurrence_p(&least), 1, 1e-6);
}
END_TEST

Suite *far_values_suite(void)
{
	Suite *suite = suite_create("far_values");
	TCase *tests = tcase_create("far_values");

	tcase_add_test(tests, quartiles_are_values);
	tcase_add_test(tests, few_values_have_quartiles);
	tcase_add_test(tests, a_fence_saturates);
	tcase_add_test(tests, quantiles_are_ranks);
	tcase_add_test(tests, p_is_exact);
	tcase_add_test(tests, p_of_many_is_finite);
	suite_add_tcase(suite, tests);
	return suite;
}
