/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/sched/delay_list.h"

#include <stdlib.h>

#include "suites.h"

static struct asked asked;
static struct question question;
static struct delay_list list;

static void list_begin(void)
{
	asked = (struct asked)ASKED_EVERYTHING;
	question = (struct question){.asked = &asked};
	list = (struct delay_list){0};
}

static void delay_free(void *unused, struct delay *delay)
{
	(void)unused;
	ck_assert(delay->is_kept);
	free(delay);
}

static void list_end(void)
{
	delay_list_visit(&list, delay_free, NULL);
	delay_list_release(&list);
}

/* Adds a delay; returns the length of the one that is not kept for it; 0: all are. */
static nsec_t add(uint32_t track, nsec_t begin, nsec_t length)
{
	struct delay *delay = calloc(1, sizeof(*delay)), *gone;
	nsec_t ret = 0;

	ck_assert_ptr_nonnull(delay);
	*delay = (struct delay){.track = track, .begin = begin, .length = length};
	gone = delay_list_add(&list, &question, delay);
	if (gone) {
		ck_assert(!gone->is_kept && delay->is_kept);
		ret = gone->length;
		free(gone);
	} else if (!delay->is_kept) {
		ret = length;
		free(delay);
	}
	return ret;
}

struct tally_of_kept {
	size_t count;
	nsec_t total;
};

static void delay_count(void *state, struct delay *delay)
{
	struct tally_of_kept *kept = state;

	kept->count++;
	kept->total += delay->length;
}

START_TEST(the_longest_of_all_are_kept)
{
	struct tally_of_kept kept = {0};

	for (uint32_t i = 1; i <= DELAYS_MAX; i++)
		ck_assert_uint_eq(add(i % 7, i, i), 0);
	ck_assert_uint_eq(add(1, 1, 1), 1);   /* not longer than the least: the earlier one stays */
	ck_assert_uint_eq(add(1, 5000, 3), 1);
	ck_assert_uint_eq(add(1, 6000, 9000), 2);
	ck_assert_uint_eq(add(1, 7000, 2), 2);
	delay_list_visit(&list, delay_count, &kept);
	ck_assert_uint_eq(kept.count, DELAYS_MAX);
	ck_assert_uint_eq(kept.total, DELAYS_MAX * (DELAYS_MAX + 1) / 2 - 1 - 2 + 3 + 9000);
}
END_TEST

/* Which tasks are asked for may be known late, so that each one has a list. */
START_TEST(each_task_keeps_its_own_if_some_are_asked_for)
{
	static const int32_t tids[] = {7};
	struct tally_of_kept kept = {0};

	asked.tids.number = tids;
	asked.tids.count = 1;
	for (uint32_t i = 0; i < 2 * DELAYS_OF_TASK_MAX; i++)
		(void)add(500, i, 1000000 + i);
	for (uint32_t i = 0; i < DELAYS_OF_TASK_MAX; i++)
		ck_assert_uint_eq(add(3, i, 10 + i), 0);
	ck_assert_uint_eq(add(3, 77, 50), 10);
	delay_list_visit(&list, delay_count, &kept);
	ck_assert_uint_eq(kept.count, 2 * DELAYS_OF_TASK_MAX);
}
END_TEST

Suite *delay_list_suite(void)
{
	Suite *suite = suite_create("delay_list");
	TCase *tests = tcase_create("delay_list");

	tcase_add_checked_fixture(tests, list_begin, list_end);
	tcase_add_test(tests, the_longest_of_all_are_kept);
	tcase_add_test(tests, each_task_keeps_its_own_if_some_are_asked_for);
	suite_add_tcase(suite, tests);
	return suite;
}
