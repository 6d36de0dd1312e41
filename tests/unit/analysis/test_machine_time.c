/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/tables/machine_time.h"

#include "suites.h"

static struct host host[] = {
	{.name = "web", .begin = 100, .end = 1000},
	{.name = "db", .cpu_first = 4, .begin = 600, .end = 900},
};
static struct asked asked = ASKED_EVERYTHING;
static struct timeline timeline;
static struct resolved resolved;
static uint32_t unrecorded[] = {5, 1, 70}; /* 70: not a CPU of this machine */
static struct health health;
static struct question question = {
	.asked = &asked,
	.timeline = &timeline,
	.health = &health,
	.resolved = &resolved,
	.recording.cpu_count = 6,
};

static void set_window(nsec_t begin, nsec_t end)
{
	resolved.begin = begin;
	resolved.end = end;
}

START_TEST(one_machine_is_recorded_all_the_time)
{
	const int32_t two[] = {1, 2};

	set_window(100, 300);
	ck_assert_uint_eq(machine_time(&question, 0), 200);
	ck_assert_uint_eq(cpu_time(&question, 5), 200);
	ck_assert_uint_eq(cpus_time(&question), 1200);
	asked.cpus.number = two;
	asked.cpus.count = 2;
	ck_assert_uint_eq(cpus_time(&question), 400);
	asked.cpus.count = 0;
}
END_TEST

START_TEST(each_machine_counts_while_it_was_recorded)
{
	const int32_t two[] = {0, 4};

	timeline.hosts = (struct hosts){host, 2};
	set_window(100, 1000);
	ck_assert_uint_eq(machine_time(&question, 0), 900);
	ck_assert_uint_eq(machine_time(&question, 1), 300);
	ck_assert_uint_eq(cpu_time(&question, 3), 900);
	ck_assert_uint_eq(cpu_time(&question, 4), 300);
	ck_assert_uint_eq(cpus_time(&question), 4 * 900 + 2 * 300);
	asked.cpus.number = two;
	asked.cpus.count = 2;
	ck_assert_uint_eq(cpus_time(&question), 1200);
	asked.cpus.count = 0;
	set_window(800, 1000);
	ck_assert_uint_eq(machine_time(&question, 1), 100);
	set_window(100, 500);
	ck_assert_uint_eq(machine_time(&question, 1), 0);
	timeline.hosts = (struct hosts){0};
}
END_TEST

START_TEST(cpus_that_were_not_recorded_count_nowhere)
{
	health.unrecorded_cpus = unrecorded;
	health.unrecorded_count = 3;
	set_window(100, 300);
	ck_assert_uint_eq(machine_cpus(&question, 0), 4);
	ck_assert_uint_eq(cpus_time(&question), 800);
	ck_assert(cpu_is_unrecorded(&question, 1));
	ck_assert(!cpu_is_unrecorded(&question, 0));
	timeline.hosts = (struct hosts){host, 2};
	set_window(100, 1000);
	ck_assert_uint_eq(machine_cpus(&question, 0), 3);
	ck_assert_uint_eq(machine_cpus(&question, 1), 1);
	ck_assert_uint_eq(cpus_time(&question), 3 * 900 + 300);
	timeline.hosts = (struct hosts){0};
	health.unrecorded_count = 0;
}
END_TEST

Suite *machine_time_suite(void)
{
	Suite *suite = suite_create("machine_time");
	TCase *tests = tcase_create("machine_time");

	tcase_add_test(tests, one_machine_is_recorded_all_the_time);
	tcase_add_test(tests, each_machine_counts_while_it_was_recorded);
	tcase_add_test(tests, cpus_that_were_not_recorded_count_nowhere);
	suite_add_tcase(suite, tests);
	return suite;
}
