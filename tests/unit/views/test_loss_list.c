/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/sched/loss_list.h"

#include "memory_peak.h"
#include "suites.h"

static struct loss_list list;

static void list_begin(void)
{
	loss_list_init(&list);
}

static void list_end(void)
{
	loss_list_release(&list);
}

START_TEST(test_sums_by_pair)
{
	const struct queue_loss *loss;
	size_t count;

	loss_list_add(&list, 7, 1, 10);
	loss_list_add(&list, 7, CPU_USER_IRQ, 5);
	loss_list_add(&list, 3, 1, 2);
	loss_list_add(&list, 7, 2, 30);
	loss_list_add(&list, 7, 1, 10);
	loss_list_sort(&list);
	loss = loss_list_find(&list, 7, &count);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(loss[0].user, 2);
	ck_assert_uint_eq(loss[1].user, 1);
	ck_assert_uint_eq(loss[1].total, 20);
	ck_assert_uint_eq(loss[2].user, CPU_USER_IRQ);
	(void)loss_list_find(&list, 5, &count);
	ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(test_of_nobody)
{
	size_t count;

	loss_list_sort(&list);
	(void)loss_list_find(&list, 5, &count);
	ck_assert_uint_eq(count, 0);
}
END_TEST

/* Millions of pairs: what is large stays told apart, whenever it comes, and nothing is lost. */
START_TEST(test_small_ones_are_summed_together)
{
	enum { TRACKS = 1000, OTHERS = 2000, HOG = 5000 };
	size_t before = memory_peak_mib(), count;
	nsec_t unknown = 0;

	for (uint32_t who = 0; who < OTHERS; who++) {
		for (uint32_t track = 0; track < TRACKS; track++)
			loss_list_add(&list, track, who, 1 + who % 64);
		if (who % 100 == 50)
			for (uint32_t track = 0; track < TRACKS; track++)
				loss_list_add(&list, track, HOG, 1000);
	}
	loss_list_sort(&list);
	for (uint32_t track = 0; track < TRACKS; track++) {
		const struct queue_loss *loss = loss_list_find(&list, track, &count);
		nsec_t sum = 0, hog = 0;

		for (size_t i = 0; i < count; i++) {
			sum += loss[i].total;
			hog += loss[i].user == HOG ? loss[i].total : 0;
			unknown += loss[i].user == CPU_USER_UNKNOWN ? loss[i].total : 0;
		}
		ck_assert_uint_eq(hog, OTHERS / 100 * 1000);
		ck_assert_uint_eq(sum, hog + OTHERS / 64 * (64 * 65 / 2) + 16 * 17 / 2);
	}
	ck_assert_uint_eq(unknown, list.unnamed);
	memory_check(before, 12u);
}
END_TEST

Suite *loss_list_suite(void)
{
	Suite *suite = suite_create("loss_list");
	TCase *tests = tcase_create("loss_list");

	tcase_add_checked_fixture(tests, list_begin, list_end);
	tcase_add_test(tests, test_sums_by_pair);
	tcase_add_test(tests, test_of_nobody);
	tcase_add_test(tests, test_small_ones_are_summed_together);
	suite_add_tcase(suite, tests);
	return suite;
}
