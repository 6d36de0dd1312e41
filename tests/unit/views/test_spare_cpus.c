/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/summary/explanation.h"

#include "suites.h"

static const struct hosts one;

START_TEST(the_cpu_that_idled_longest_counts)
{
	struct spare_cpus spare = {.hosts = &one};

	spare_cpus_add(&spare, 0, 100, 200);
	spare_cpus_add(&spare, 1, 100, 120);
	spare_cpus_add(&spare, 2, 150, 190);
	spare_cpus_add(&spare, 1, 180, 300);
	spare_cpus_begin(&spare);
	/* its own CPU does not: somebody else had it, or it was about to be switched to */
	ck_assert_uint_eq(spare_cpus_within(&spare, 0, 210, 290), 80);
	ck_assert_uint_eq(spare_cpus_within(&spare, 0, 150, 200), 40);
	ck_assert_uint_eq(spare_cpus_within(&spare, 2, 110, 150), 40);
	ck_assert_uint_eq(spare_cpus_within(&spare, 1, 90, 105), 5);
	ck_assert_uint_eq(spare_cpus_within(&spare, 7, 0, 50), 0);
	spare_cpus_end(&spare);
	spare_cpus_release(&spare);
}
END_TEST

START_TEST(what_had_ended_is_forgotten)
{
	struct spare_cpus spare = {.hosts = &one};

	spare_cpus_add(&spare, 1, 100, 200);
	spare_cpus_add(&spare, 1, 250, 300);
	interrupt_log_trim(&spare.idle, 220);
	spare_cpus_add(&spare, 1, 400, 500);
	spare_cpus_begin(&spare);
	ck_assert_uint_eq(spare_cpus_within(&spare, 0, 0, 1000), 150);
	spare_cpus_end(&spare);
	spare_cpus_release(&spare);
}
END_TEST

START_TEST(nothing_is_known_of_other_cpus)
{
	struct spare_cpus spare = {.hosts = &one};

	spare_cpus_begin(&spare);
	ck_assert_uint_eq(spare_cpus_within(&spare, 0, 0, 1000), 0);
	spare_cpus_end(&spare);
	spare_cpus_release(&spare);
}
END_TEST

START_TEST(cpus_of_other_machines_are_not_spare)
{
	struct host host[] = {{.name = "web"}, {.name = "db", .cpu_first = 2}};
	const struct hosts two = {host, 2};
	struct spare_cpus spare = {.hosts = &two};

	spare_cpus_add(&spare, 0, 100, 110);
	spare_cpus_add(&spare, 2, 100, 200);
	spare_cpus_add(&spare, 3, 100, 150);
	spare_cpus_begin(&spare);
	ck_assert_uint_eq(spare_cpus_within(&spare, 1, 0, 300), 10);
	spare_cpus_end(&spare);
	spare_cpus_begin(&spare);
	ck_assert_uint_eq(spare_cpus_within(&spare, 2, 0, 300), 50);
	spare_cpus_end(&spare);
	spare_cpus_release(&spare);
}
END_TEST

Suite *spare_cpus_suite(void)
{
	Suite *suite = suite_create("spare_cpus");
	TCase *tests = tcase_create("spare_cpus");

	tcase_add_test(tests, the_cpu_that_idled_longest_counts);
	tcase_add_test(tests, what_had_ended_is_forgotten);
	tcase_add_test(tests, nothing_is_known_of_other_cpus);
	tcase_add_test(tests, cpus_of_other_machines_are_not_spare);
	suite_add_tcase(suite, tests);
	return suite;
}
