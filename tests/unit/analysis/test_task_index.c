/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/task_index.h"

#include "suites.h"

static struct timeline timeline;

static uint32_t track_add(int32_t tid, uint8_t host, nsec_t born, nsec_t begin)
{
	uint32_t track = timeline_add_track(&timeline, tid);

	timeline.track[track].host = host;
	timeline.track[track].born = born;
	timeline.track[track].begin = begin;
	return track;
}

/* Of three tasks with one tid each has the time from its birth, or from its first event. */
START_TEST(test_generations)
{
	struct task_index index;
	uint32_t old, second, third;

	timeline_init(&timeline, /* keep_segments= */ true);
	old = track_add(7, 0, NSEC_NEVER, 100);
	(void)track_add(8, 0, NSEC_NEVER, 100);
	second = track_add(7, 0, 200, 210);
	third = track_add(7, 0, 300, NSEC_NEVER);
	task_index_init(&index, &timeline);
	ck_assert_uint_eq(task_index_find(&index, 7, 50), old);
	ck_assert_uint_eq(task_index_find(&index, 7, 199), old);
	ck_assert_uint_eq(task_index_find(&index, 7, 200), second);
	ck_assert_uint_eq(task_index_find(&index, 7, 299), second);
	ck_assert_uint_eq(task_index_find(&index, 7, 300), third);
	ck_assert_uint_eq(task_index_find(&index, 9, 300), TRACK_NONE);
	ck_assert_uint_eq(task_index_find(&index, 0, 300), TRACK_NONE);
	ck_assert_uint_eq(task_index_find(&index, -1, 300), TRACK_NONE);
	task_index_release(&index);
	timeline_release(&timeline);
}
END_TEST

/* The same tid on two machines is two tasks; idle tasks have none. */
START_TEST(test_machines)
{
	struct task_index index;
	uint32_t here, there, idle;

	timeline_init(&timeline, /* keep_segments= */ true);
	here = track_add(7, 0, NSEC_NEVER, 100);
	there = track_add(7, 1, NSEC_NEVER, 100);
	idle = track_add(9, 0, NSEC_NEVER, 100);
	timeline.track[idle].is_idle = true;
	task_index_init(&index, &timeline);
	ck_assert_uint_eq(task_index_find(&index, hosts_process_id(0, 7), 150), here);
	ck_assert_uint_eq(task_index_find(&index, hosts_process_id(1, 7), 150), there);
	ck_assert_uint_eq(task_index_find(&index, 9, 150), TRACK_NONE);
	task_index_release(&index);
	timeline_release(&timeline);
}
END_TEST

Suite *task_index_suite(void)
{
	Suite *suite = suite_create("task_index");
	TCase *tcase = tcase_create("find");

	tcase_add_test(tcase, test_generations);
	tcase_add_test(tcase, test_machines);
	suite_add_tcase(suite, tcase);
	return suite;
}
