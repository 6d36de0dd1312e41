/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The expected figures are from R 4.2: wilcox.test(), p.adjust(), and where samples have ties or
   are large, the definitions written out in R. */
#include "stats/rank_test.h"

#include <math.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "suites.h"

#define SAMPLE(...) \
	((struct sample){(const double[]){__VA_ARGS__}, \
	                 sizeof((double[]){__VA_ARGS__}) / sizeof(double)})

static void check_near(double value, double wanted)
{
	ck_assert_double_eq_tol(value, wanted, 1e-11);
}

START_TEST(small_samples_are_as_in_r)
{
	const struct {
		struct sample old, new;
		double p, shift, low, high;
	} cases[] = {
		/* Hollander and Wolfe (1973), page 69: permeability of the chorioamnion */
		{SAMPLE(0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46),
		 SAMPLE(1.15, 0.88, 0.90, 0.74, 1.21), 0.254412254412, -0.305, -0.76, 0.15},
		{SAMPLE(5, 3, 1, 4, 2), SAMPLE(6, 7, 8, 9, 10), 0.00793650793651, 5, 2, 8},
		{SAMPLE(1, 3, 5, 7, 9, 11), SAMPLE(2, 8, 10, 12, 13, 14), 0.132034632035, 4.5, -1,
		 9},
		{SAMPLE(10.1, 11.4, 9.7, 12.8, 10.9, 11.1, 10.2, 9.9, 13.3, 10.5),
		 SAMPLE(11.9, 12.2, 10.8, 13.9, 12.5, 14.1, 11.3, 12.9, 13.6, 11.6),
		 0.0114962436944, 1.5, 0.5, 2.7},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct rank_shift shift = rank_shift_of(cases[i].old, cases[i].new);

		check_near(rank_test_p(cases[i].old, cases[i].new), cases[i].p);
		check_near(rank_test_p(cases[i].new, cases[i].old), cases[i].p);
		check_near(shift.shift, cases[i].shift);
		ck_assert(shift.has_interval);
		check_near(shift.low, cases[i].low);
		check_near(shift.high, cases[i].high);
	}
}
END_TEST

#define MANY 20000

/* Of 400 million differences the middle ones are found without keeping them. */
START_TEST(many_values_are_shifted)
{
	double *old = calloc(MANY, sizeof(*old)), *new = calloc(MANY, sizeof(*new));
	struct rank_shift shift;

	for (size_t i = 0; i < MANY; i++) {
		old[i] = (double)(i * 7919 % MANY);
		new[i] = (double)(i * 104729 % MANY) + 7.5;
	}
	shift = rank_shift_of((struct sample){old, MANY}, (struct sample){new, MANY});
	check_near(shift.shift, 7.5);
	ck_assert(shift.has_interval);
	/* symmetric, and as wide as the ranks allow: 1.96 MANY sqrt((2 MANY + 1) / 12) / MANY */
	check_near(shift.high - 7.5, 7.5 - shift.low);
	ck_assert_double_eq_tol(shift.high - 7.5, 113, 1);
	ck_assert_double_gt(rank_test_p((struct sample){old, MANY}, (struct sample){new, MANY}),
	                    0.5);
	free(old);
	free(new);
}
END_TEST

START_TEST(ties_in_small_samples_are_exact)
{
	check_near(rank_test_p(SAMPLE(1, 2, 2, 3, 5), SAMPLE(2, 4, 5, 5, 6, 7)), 0.0822510822511);
	/* nothing but ties */
	check_near(rank_test_p(SAMPLE(7, 7, 7), SAMPLE(7, 7, 7, 7)), 1);
}
END_TEST

/* More values than have an exact p: of 30 and 25, with ties or without. */
static void large_samples(double old[static 30], double new[static 25], bool are_tied)
{
	for (int i = 0; i < 30; i++)
		old[i] = are_tied ? floor(i * 37 % 101 / 10.0) : i * 37 % 101;
	for (int i = 0; i < 25; i++)
		new[i] = are_tied ? floor((i * 41 % 97 + 11) / 10.0) : i * 41 % 97 + 11;
}

START_TEST(large_samples_are_as_in_r)
{
	double old[30], new[25];
	struct sample a = {old, 30}, b = {new, 25};
	struct rank_shift shift;

	large_samples(old, new, /* are_tied= */ false);
	check_near(rank_test_p(a, b), 0.306427321577);
	shift = rank_shift_of(a, b);
	check_near(shift.shift, 8.5);
	check_near(shift.low, -8);
	check_near(shift.high, 25);

	large_samples(old, new, /* are_tied= */ true);
	check_near(rank_test_p(a, b), 0.377132451102);
	shift = rank_shift_of(a, b);
	check_near(shift.shift, 1);
	check_near(shift.low, -1);
	check_near(shift.high, 2);
}
END_TEST

START_TEST(too_few_values_decide_nothing)
{
	struct rank_shift shift = rank_shift_of(SAMPLE(1, 2, 3), SAMPLE(4, 5, 6));

	check_near(rank_test_p(SAMPLE(1, 2, 3), SAMPLE(4, 5, 6)), 0.1);
	check_near(shift.shift, 3);
	ck_assert(!shift.has_interval);
	check_near(rank_test_p(SAMPLE(1), SAMPLE(2)), 1);
	check_near(rank_shift_of(SAMPLE(1), SAMPLE(2)).shift, 1);
	check_near(rank_test_p((struct sample){0}, SAMPLE(2)), 1);
	ck_assert(!rank_shift_of((struct sample){0}, SAMPLE(2)).has_interval);
	check_near(rank_test_least_p(5, 5), 2.0 / 252);
	check_near(rank_test_least_p(6, 6), 2.0 / 924);
	check_near(rank_test_least_p(10, 10), 2.0 / 184756);
	check_near(rank_test_least_p(1, 1), 1);
	check_near(rank_test_least_p(0, 5), 1);
}
END_TEST

START_TEST(medians_and_means)
{
	check_near(sample_median(SAMPLE(3, 1, 2)), 2);
	check_near(sample_median(SAMPLE(4, 1, 3, 2)), 2.5);
	check_near(sample_mean(SAMPLE(4, 1, 3, 2)), 2.5);
	check_near(sample_median((struct sample){0}), 0);
	check_near(sample_quantile(SAMPLE(4, 1, 3, 2), 0.5), 2);
	check_near(sample_quantile(SAMPLE(4, 1, 3, 2), 0.51), 3);
	check_near(sample_quantile(SAMPLE(4, 1, 3, 2), 0.99), 4);
	check_near(sample_quantile(SAMPLE(4, 1, 3, 2), 1), 4);
	check_near(sample_quantile((struct sample){0}, 0.99), 0);
	check_near(sample_mean((struct sample){0}), 0);
}
END_TEST

START_TEST(holm_is_as_in_r)
{
	double p[] = {0.01, 0.04, 0.03, 0.005, 0.5};
	static const double wanted[] = {0.04, 0.09, 0.09, 0.025, 0.5};

	holm_adjust(p, ARRAY_SIZE(p));
	for (size_t i = 0; i < ARRAY_SIZE(p); i++)
		check_near(p[i], wanted[i]);
	holm_adjust(p, 0);
}
END_TEST

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The differences are never written down; here they are. Negative values, ties, zeros of both
   signs, and very different sizes. */
START_TEST(shift_is_the_median_of_all_differences)
{
	double old[16], new[16], difference[256];

	srand((unsigned)_i + 1);
	for (int round = 0; round < 200; round++) {
		size_t n = 1 + (size_t)rand() % 16, m = 1 + (size_t)rand() % 16, count = 0;
		struct rank_shift shift;
		double median;

		for (size_t i = 0; i < n; i++)
			old[i] = (rand() % 21 - 10) * pow(10, rand() % (1 + _i));
		for (size_t i = 0; i < m; i++)
			new[i] = (rand() % 21 - 10) * pow(10, rand() % (1 + _i));
		shift = rank_shift_of((struct sample){old, n}, (struct sample){new, m});
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < m; j++)
				difference[count++] = new[j] - old[i];
		qsort(difference, count, sizeof(*difference), compare_doubles);
		median = (difference[count / 2] + difference[(count - 1) / 2]) / 2;
		ck_assert_msg(fabs(shift.shift - median) <= 0, "seed %d, round %d: %g, not %g", _i + 1, round,
		              shift.shift, median);
	}
}
END_TEST

START_TEST(dominance_is_a_direction)
{
	const struct sample none = {0};

	check_near(rank_dominance(SAMPLE(1, 2, 3), SAMPLE(4, 5)), 1);
	check_near(rank_dominance(SAMPLE(4, 5), SAMPLE(1, 2, 3)), -1);
	check_near(rank_dominance(SAMPLE(1, 2), SAMPLE(1, 2)), 0);
	/* 6 of 9 pairs are equal, in the other 3 the new value is above: the median of all
	   differences is 0 */
	check_near(rank_dominance(SAMPLE(5, 5, 5), SAMPLE(5, 5, 6)), 3.0 / 9);
	check_near(rank_shift_of(SAMPLE(5, 5, 5), SAMPLE(5, 5, 6)).shift, 0);
	check_near(rank_dominance(none, SAMPLE(1)), 0);
	check_near(rank_dominance(SAMPLE(1), none), 0);
}
END_TEST

Suite *rank_test_suite(void)
{
	Suite *suite = suite_create("rank_test");
	TCase *tests = tcase_create("rank_test");

	tcase_add_test(tests, dominance_is_a_direction);
	tcase_add_test(tests, small_samples_are_as_in_r);
	tcase_add_test(tests, many_values_are_shifted);
	tcase_add_test(tests, ties_in_small_samples_are_exact);
	tcase_add_test(tests, large_samples_are_as_in_r);
	tcase_add_test(tests, too_few_values_decide_nothing);
	tcase_add_test(tests, medians_and_means);
	tcase_add_test(tests, holm_is_as_in_r);
	tcase_add_loop_test(tests, shift_is_the_median_of_all_differences, 0, 4);
	suite_add_tcase(suite, tests);
	return suite;
}
