/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/summary/heavy_sums.h"

#include "suites.h"

static const struct heavy_sum *sum_find(const struct heavy_sums *sums, uint64_t key)
{
	for (size_t i = 0; i < sums->count; i++)
		if (heavy_sums_at(sums, i)->key == key)
			return heavy_sums_at(sums, i);
	return NULL;
}

START_TEST(sums_by_key)
{
	struct heavy_sums sums;

	heavy_sums_init(&sums, sizeof(struct heavy_sum));
	heavy_sums_add(&sums, &(struct heavy_sum){7, 10, 1, 100});
	heavy_sums_add(&sums, &(struct heavy_sum){8, 1, 1, 1});
	heavy_sums_add(&sums, &(struct heavy_sum){7, 5, 2, 50});
	ck_assert_uint_eq(sums.count, 2);
	ck_assert_uint_eq(sum_find(&sums, 7)->total, 15);
	ck_assert_uint_eq(sum_find(&sums, 7)->count, 3);
	ck_assert_uint_eq(sum_find(&sums, 7)->extra, 150);
	heavy_sums_release(&sums);
}
END_TEST

/* One that is heavy all the time is told whole, however many light ones come beside it. */
START_TEST(the_heavy_ones_stay)
{
	struct heavy_sums sums;
	uint64_t light = 10 * HEAVY_SUMS_MAX;

	heavy_sums_init(&sums, sizeof(struct heavy_sum));
	for (uint64_t i = 0; i < light; i++) {
		heavy_sums_add(&sums, &(struct heavy_sum){1, 3, 1, 0});
		heavy_sums_add(&sums, &(struct heavy_sum){1000 + i, 2, 1, 0});
		ck_assert_uint_le(sums.count, HEAVY_SUMS_MAX);
	}
	ck_assert_uint_eq(sum_find(&sums, 1)->total, 3 * light);
	ck_assert_uint_eq(sum_find(&sums, 1000 + light - 1)->total, 2);
	heavy_sums_release(&sums);
}
END_TEST

Suite *heavy_sums_suite(void)
{
	Suite *suite = suite_create("heavy_sums");
	TCase *tests = tcase_create("heavy_sums");

	tcase_add_test(tests, sums_by_key);
	tcase_add_test(tests, the_heavy_ones_stay);
	suite_add_tcase(suite, tests);
	return suite;
}
