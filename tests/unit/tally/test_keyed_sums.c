/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tally/tally.h"

#include "suites.h"

static const struct keyed_sum *sum_find(const struct keyed_sums *sums, uint64_t key)
{
	return keyed_sums_find(sums, key);
}

START_TEST(sums_by_key)
{
	struct keyed_sums sums;

	keyed_sums_init(&sums, sizeof(struct keyed_sum), KEYED_SUMS_HEAVY);
	keyed_sums_add(&sums, &(struct keyed_sum){7, 10, 1, 100});
	keyed_sums_add(&sums, &(struct keyed_sum){8, 1, 1, 1});
	keyed_sums_add(&sums, &(struct keyed_sum){7, 5, 2, 50});
	ck_assert_uint_eq(sums.count, 2);
	ck_assert_uint_eq(sum_find(&sums, 7)->total, 15);
	ck_assert_uint_eq(sum_find(&sums, 7)->count, 3);
	ck_assert_uint_eq(sum_find(&sums, 7)->extra, 150);
	keyed_sums_release(&sums);
}
END_TEST

/* One that is heavy all the time is told whole, however many light ones come beside it. */
START_TEST(the_heavy_ones_stay)
{
	struct keyed_sums sums;
	uint64_t light = 10 * KEYED_SUMS_HEAVY;

	keyed_sums_init(&sums, sizeof(struct keyed_sum), KEYED_SUMS_HEAVY);
	for (uint64_t i = 0; i < light; i++) {
		keyed_sums_add(&sums, &(struct keyed_sum){1, 3, 1, 0});
		keyed_sums_add(&sums, &(struct keyed_sum){1000 + i, 2, 1, 0});
		ck_assert_uint_le(sums.count, KEYED_SUMS_HEAVY);
	}
	ck_assert_uint_eq(sum_find(&sums, 1)->total, 3 * light);
	ck_assert_uint_eq(sum_find(&sums, 1000 + light - 1)->total, 2);
	keyed_sums_release(&sums);
}
END_TEST

Suite *keyed_sums_suite(void)
{
	Suite *suite = suite_create("keyed_sums");
	TCase *tests = tcase_create("keyed_sums");

	tcase_add_test(tests, sums_by_key);
	tcase_add_test(tests, the_heavy_ones_stay);
	suite_add_tcase(suite, tests);
	return suite;
}
