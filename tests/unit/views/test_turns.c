/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "suites.h"
#include "views/summary/summary.h"

static struct timeline timeline;
static struct turns *turns;
static uint32_t server, client;
static nsec_t waited;

static uint32_t task_put(const char *name, int32_t tgid)
{
	uint32_t track = timeline_add_track(&timeline, (int32_t)timeline.track_count + 100);

	timeline_add_name(&timeline, track, 0, name, strlen(name));
	timeline.track[track].tgid = tgid;
	return track;
}

static void turns_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	server = task_put("bc", 100);
	client = task_put("sh", 101);
	turns = NULL;
	waited = 0;
}

static void turns_teardown(void)
{
	free(turns);
	timeline_release(&timeline);
}

/* Somebody ends so many waits of the server. */
static void waits_put(uint32_t waker, unsigned count, nsec_t length)
{
	while (count-- > 0)
		voter_vote(&turns_keep(&turns)->waits, waker, length);
}

static void wakes_put(uint32_t wakee, unsigned count)
{
	while (count-- > 0)
		voter_vote(&turns_keep(&turns)->wakes, wakee, 1);
}

static uint32_t partner(void)
{
	return turns_partner(turns, &timeline, server, &waited);
}

START_TEST(two_that_wake_each_other_take_turns)
{
	waits_put(client, 3, 100);
	wakes_put(client, 3);
	ck_assert_uint_eq(partner(), client);
	ck_assert_uint_eq(waited, 300);
}
END_TEST

START_TEST(who_is_woken_only_takes_none)
{
	ck_assert_uint_eq(partner(), TRACK_NONE);
	waits_put(client, 30, 100);
	ck_assert_uint_eq(partner(), TRACK_NONE);
	wakes_put(client, 2);
	ck_assert_uint_eq(partner(), TRACK_NONE);
}
END_TEST

/* A stage of a pipeline is woken by the one before and wakes the one behind. */
START_TEST(stages_take_none)
{
	waits_put(client, 30, 100);
	wakes_put(task_put("sort", 102), 30);
	wakes_put(client, 5);
	ck_assert_uint_eq(partner(), TRACK_NONE);
}
END_TEST

START_TEST(threads_of_a_process_take_none)
{
	timeline.track[client].tgid = timeline.track[server].tgid;
	waits_put(client, 5, 100);
	wakes_put(client, 5);
	ck_assert_uint_eq(partner(), TRACK_NONE);
}
END_TEST

START_TEST(who_asks_may_be_known)
{
	waits_put(client, 5, 100);
	wakes_put(client, 5);
	timeline.track[client].parent = server;
	ck_assert_uint_eq(partner(), TRACK_NONE);
	timeline.track[client].parent = TRACK_NONE;
	ck_assert_uint_eq(partner(), client);
	timeline.track[server].is_program_seen = true;
	ck_assert_uint_eq(partner(), TRACK_NONE);
	timeline.track[server].is_program_seen = false;
	timeline.track[server].born = 0;
	ck_assert_uint_eq(partner(), TRACK_NONE);
}
END_TEST

Suite *turns_suite(void)
{
	Suite *suite = suite_create("turns");
	TCase *tests = tcase_create("turns");

	tcase_add_checked_fixture(tests, turns_setup, turns_teardown);
	tcase_add_test(tests, two_that_wake_each_other_take_turns);
	tcase_add_test(tests, who_is_woken_only_takes_none);
	tcase_add_test(tests, stages_take_none);
	tcase_add_test(tests, threads_of_a_process_take_none);
	tcase_add_test(tests, who_asks_may_be_known);
	suite_add_tcase(suite, tests);
	return suite;
}
