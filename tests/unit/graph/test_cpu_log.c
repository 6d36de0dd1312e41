/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/logs/cpu_log.h"

#include <string.h>

#include "suites.h"

#define MS 1000000u

#define A 1
#define B 2

static struct cpu_log cpus;
static uint32_t enough = CPU_USER_UNKNOWN - 10; /* nobody */
static nsec_t used_by[3], used_idle, used_irq, used_unknown;

static void log_teardown(void)
{
	cpu_log_release(&cpus);
}

static void run(nsec_t begin, nsec_t end, uint32_t user)
{
	cpu_log_run(&cpus, 1, &(struct logged_run){.begin = begin, .end = end, .user = user});
}

static void interrupt(nsec_t begin, nsec_t end)
{
	cpu_log_interrupt(&cpus, 1, begin, end, /* is_soft= */ false);
}

static bool on_use(void *state, uint32_t user, nsec_t took)
{
	nsec_t *sum = state;

	*sum += took;
	if (user == CPU_USER_IDLE)
		used_idle += took;
	else if (user == CPU_USER_IRQ)
		used_irq += took;
	else if (user == CPU_USER_UNKNOWN)
		used_unknown += took;
	else
		used_by[user] += took;
	return user != enough;
}

static void visit(nsec_t begin, nsec_t end)
{
	nsec_t sum = 0;

	memset(used_by, 0, sizeof(used_by));
	used_idle = used_irq = used_unknown = 0;
	cpu_log_visit(&cpus, 1, begin, end, on_use, &sum);
	ck_assert_uint_eq(sum, end - begin);
}

/* To a hundredth. */
static void is_about(nsec_t took, nsec_t expected)
{
	ck_assert_uint_ge(took, expected - expected / 100);
	ck_assert_uint_le(took, expected + expected / 100);
}

START_TEST(what_interrupts_take_is_nobodys)
{
	interrupt(12, 14);
	interrupt(20, 22); /* in the soft one */
	cpu_log_interrupt(&cpus, 1, 19, 25, /* is_soft= */ true);
	run(10, 30, A);
	interrupt(28, 33); /* of that the run of A was told already */
	run(35, 40, B);
	run(40, 50, CPU_USER_IDLE);
	visit(13, 45);
	ck_assert_uint_eq(used_by[A], 17 - 1 - 6);
	ck_assert_uint_eq(used_by[B], 5);
	ck_assert_uint_eq(used_idle, 5);
	ck_assert_uint_eq(used_irq, 1 + 6 + 3);
	ck_assert_uint_eq(used_unknown, 2);
	ck_assert_uint_eq(cpus.cpu[1].running, 20 - 8 + 5);
	ck_assert_uint_eq(cpus.cpu[1].irq, 2 + 2 + 3);
	ck_assert_uint_eq(cpus.cpu[1].softirq, 4);
	ck_assert_uint_eq(cpus.cpu[1].idle, 10);
	visit(5, 11);
	ck_assert_uint_eq(used_unknown, 5);
	visit(49, 60);
	ck_assert_uint_eq(used_unknown, 10);
	enough = B;
	visit(13, 45);
	enough = CPU_USER_UNKNOWN - 10;
	ck_assert_uint_eq(used_by[B], 5);
	ck_assert_uint_eq(used_unknown, 2 + 5);
}
END_TEST

START_TEST(missing_switch_ends_idleness)
{
	run(10, 50, CPU_USER_IDLE);
	run(40, 60, A);
	run(55, 70, B); /* two at once: the first one is believed */
	visit(10, 70);
	ck_assert_uint_eq(used_idle, 30);
	ck_assert_uint_eq(used_by[A], 20);
	ck_assert_uint_eq(used_by[B], 10);
	ck_assert_uint_eq(cpus.cpu[1].idle, 30);
}
END_TEST

/* Memory is bounded: the oldest runs are forgotten, the oldest interrupts less exact. */
START_TEST(old_runs_make_room)
{
	for (nsec_t t = 0; t < 1000 * MS; t += 10000) {
		interrupt(t + 2000, t + 3000);
		run(t, t + 10000, t / 10000 % 2 ? B : A);
	}
	ck_assert_uint_le(cpus.cpu[1].run_count, 32768);
	ck_assert_uint_le(cpus.cpu[1].interrupt_count, 8192);
	ck_assert_uint_eq(cpus.cpu[1].running, 900 * MS);
	ck_assert_uint_eq(cpus.cpu[1].irq, 100 * MS);
	visit(990 * MS, 1000 * MS);
	ck_assert_uint_eq(used_by[A], 4500000);
	ck_assert_uint_eq(used_by[B], 4500000);
	ck_assert_uint_eq(used_irq, 1 * MS);
	/* of these the interrupts are no longer known one by one, but what they took of each run */
	visit(850 * MS, 1000 * MS);
	ck_assert_uint_eq(used_irq, 15 * MS);
	ck_assert_uint_eq(used_by[A], 67500000);
	ck_assert_uint_eq(used_by[B], 67500000);
	ck_assert_uint_eq(cpus.forgotten, 0);
	visit(0, 1000 * MS);
	ck_assert_uint_ge(used_by[A], 17 * MS);
	is_about(used_irq, 100 * MS);
	ck_assert_uint_gt(used_unknown, 0);
	ck_assert_uint_gt(cpus.forgotten, 0);
}
END_TEST

START_TEST(long_run_is_one)
{
	for (nsec_t t = 0; t < 1000 * MS; t += 10000)
		interrupt(t + 2000, t + 3000);
	run(0, 1000 * MS, A);
	visit(500 * MS, 1000 * MS);
	is_about(used_irq, 50 * MS);
	ck_assert_uint_eq(used_by[A], 500 * MS - used_irq);
	visit(999 * MS, 1000 * MS);
	ck_assert_uint_eq(used_irq, 100000);
	ck_assert_uint_eq(cpus.cpu[1].running, 900 * MS);
}
END_TEST

Suite *cpu_log_suite(void)
{
	Suite *suite = suite_create("cpu_log");
	TCase *tests = tcase_create("cpu_log");

	tcase_add_checked_fixture(tests, NULL, log_teardown);
	tcase_add_test(tests, what_interrupts_take_is_nobodys);
	tcase_add_test(tests, missing_switch_ends_idleness);
	tcase_add_test(tests, old_runs_make_room);
	tcase_add_test(tests, long_run_is_one);
	suite_add_tcase(suite, tests);
	return suite;
}
