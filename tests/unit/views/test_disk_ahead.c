/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "suites.h"
#include "views/blame/disk_ahead.h"

#define TASKS 8

/* What each task's requests cost task 0. */
static void on_share(void *state, uint32_t waiter, uint32_t task, double part)
{
	double *cost = state;

	ck_assert_uint_eq(waiter, 0);
	ck_assert_uint_lt(task, TASKS);
	cost[task] += part;
}

static void request_add(struct disk_ahead *ahead, uint32_t task, nsec_t begin, nsec_t end)
{
	disk_ahead_add_request(ahead, &(struct ahead_request){.begin = begin,
	                                                      .end = end,
	                                                      .sector = 1000 + begin,
	                                                      .dev = task / 4,
	                                                      .task = task});
}

/* A wait of task 0 for the request that was queued then. */
static void wait_add(struct disk_ahead *ahead, uint32_t dev, nsec_t queued, nsec_t begin,
                     nsec_t end)
{
	disk_ahead_add_wait(ahead, &(struct ahead_wait){.queued = queued,
	                                                .begin = begin,
	                                                .end = end,
	                                                .sector = 1000 + queued,
	                                                .dev = dev});
}

static void check_costs(struct disk_ahead *ahead, const double *expected)
{
	double cost[TASKS] = {0};

	disk_ahead_share(ahead, on_share, cost);
	for (size_t i = 0; i < TASKS; i++)
		ck_assert_double_eq_tol(cost[i], expected[i], 1e-9);
	disk_ahead_release(ahead);
}

START_TEST(those_ahead_share_the_time)
{
	static const double expected[TASKS] = {0, 25, 45};
	struct disk_ahead ahead = {0};

	/* waits from 110 on for a request that was queued at 100 */
	wait_add(&ahead, 0, 100, 110, 200);
	request_add(&ahead, 0, 100, 200); /* that request itself */
	request_add(&ahead, 1, 90, 160);  /* half of the 50 from 110 on */
	request_add(&ahead, 2, 95, 180);  /* the other half, and the 20 after that */
	request_add(&ahead, 3, 50, 100);  /* had ended */
	request_add(&ahead, 3, 101, 300); /* came later */
	request_add(&ahead, 5, 10, 300);  /* another disk */
	check_costs(&ahead, expected);
}
END_TEST

START_TEST(nothing_counts_beyond_the_wait)
{
	static const double expected[TASKS] = {0, 30, 30, 0, 10};
	struct disk_ahead ahead = {0};

	wait_add(&ahead, 0, 100, 100, 160);
	wait_add(&ahead, 1, 50, 90, 95);
	wait_add(&ahead, 1, 70, 90, 95);
	request_add(&ahead, 2, 20, 500);
	request_add(&ahead, 1, 10, NSEC_NEVER);
	request_add(&ahead, 4, 10, 500);
	/* had ended before the wait began, if after its queueing */
	request_add(&ahead, 3, 10, 100);
	check_costs(&ahead, expected);
}
END_TEST

Suite *disk_ahead_suite(void)
{
	Suite *suite = suite_create("disk_ahead");
	TCase *tests = tcase_create("disk_ahead");

	tcase_add_test(tests, those_ahead_share_the_time);
	tcase_add_test(tests, nothing_counts_beyond_the_wait);
	suite_add_tcase(suite, tests);
	return suite;
}
