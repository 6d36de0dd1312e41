/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/tail/sync_calls.h"

#include "suites.h"

#define X86_64_READ      0
#define X86_64_FSYNC     74
#define X86_64_FDATASYNC 75

static struct timeline timeline;
static struct question question;
static struct sync_calls calls;
static uint32_t a, b;

static void setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	question = (struct question){.timeline = &timeline, .recording = {.arch = "x86_64"}};
	calls = (struct sync_calls){0};
	a = timeline_add_track(&timeline, 1);
	b = timeline_add_track(&timeline, 2);
}

static void teardown(void)
{
	sync_calls_release(&calls);
	timeline_release(&timeline);
}

static void call(uint32_t track, int64_t number, nsec_t begin, nsec_t end)
{
	const struct interval interval = {
		.kind = INTERVAL_SYSCALL, .task = track, .begin = begin, .end = end,
		.syscall = {.number = number}};

	sync_calls_add(&calls, &question, &interval);
}

START_TEST(only_what_lies_in_one_call_is_in_it)
{
	call(b, X86_64_FSYNC, 10, 20);
	call(b, X86_64_FDATASYNC, 20, 30);
	ck_assert(sync_calls_have(&calls, b, 10, 20));
	ck_assert(sync_calls_have(&calls, b, 21, 29));
	ck_assert(!sync_calls_have(&calls, b, 15, 25));
	ck_assert(!sync_calls_have(&calls, b, 9, 15));
	ck_assert(!sync_calls_have(&calls, b, 25, 31));
	ck_assert(!sync_calls_have(&calls, b, 30, 31));
	ck_assert(!sync_calls_have(&calls, a, 12, 18));
	ck_assert(!sync_calls_have(&calls, b + 1, 12, 18));
}
END_TEST

START_TEST(other_calls_are_none)
{
	call(a, X86_64_READ, 10, 20);
	ck_assert(!sync_calls_have(&calls, a, 12, 18));
}
END_TEST

START_TEST(numbers_are_those_of_the_machine)
{
	question.recording.arch = "aarch64";
	call(a, X86_64_FSYNC, 10, 20);
	call(a, 82, 30, 40);
	ck_assert(!sync_calls_have(&calls, a, 12, 18));
	ck_assert(sync_calls_have(&calls, a, 32, 38));
}
END_TEST

START_TEST(nothing_is_a_sync_where_the_machine_is_not_known)
{
	question.recording.arch = NULL;
	call(a, X86_64_FSYNC, 10, 20);
	ck_assert(!sync_calls_have(&calls, a, 12, 18));
}
END_TEST

START_TEST(what_ended_is_forgotten)
{
	call(a, X86_64_FSYNC, 10, 20);
	call(a, X86_64_FSYNC, 30, 40);
	sync_calls_trim(&calls, 35);
	ck_assert(!sync_calls_have(&calls, a, 12, 18));
	ck_assert(sync_calls_have(&calls, a, 31, 39));
	sync_calls_trim(&calls, 40);
	ck_assert(!sync_calls_have(&calls, a, 31, 39));
	call(a, X86_64_FSYNC, 50, 60);
	ck_assert(sync_calls_have(&calls, a, 50, 60));
}
END_TEST

Suite *sync_calls_suite(void)
{
	Suite *suite = suite_create("sync_calls");
	TCase *tests = tcase_create("sync_calls");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, only_what_lies_in_one_call_is_in_it);
	tcase_add_test(tests, other_calls_are_none);
	tcase_add_test(tests, numbers_are_those_of_the_machine);
	tcase_add_test(tests, nothing_is_a_sync_where_the_machine_is_not_known);
	tcase_add_test(tests, what_ended_is_forgotten);
	suite_add_tcase(suite, tests);
	return suite;
}
