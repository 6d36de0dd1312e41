/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "base/xalloc.h"
#include "graph/competitors.h"
#include "suites.h"

#define LINES  5
#define CPUS   3
#define LENGTH 200000 /* ns */
#define NO_CPU UINT16_MAX

static struct timeline timeline;
static uint16_t *cpu_at[LINES]; /* where each line ran, ns by ns */

static void timeline_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	for (int32_t line = 0; line < LINES; line++) {
		(void)timeline_add_line(&timeline, 100 + line);
		cpu_at[line] = xcalloc(LENGTH, sizeof(*cpu_at[line]));
		for (nsec_t t = 0; t < LENGTH; t++)
			cpu_at[line][t] = NO_CPU;
	}
}

static void timeline_teardown(void)
{
	for (int line = 0; line < LINES; line++)
		free(cpu_at[line]);
	timeline_release(&timeline);
}

static void line_add(uint32_t line, nsec_t begin, nsec_t end, enum segment_kind kind, uint16_t cpu)
{
	timeline_add_span(
		&timeline,
		&(struct span){.line = line, .begin = begin, .end = end, .kind = kind, .cpu = cpu});
	for (nsec_t t = begin; t < end && kind == SEGMENT_RUN; t++)
		cpu_at[line][t] = cpu;
}

static uint64_t seed = 1;

static uint64_t below(uint64_t limit)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % limit;
}

/* Lines that begin late, end early, run long, or change between CPUs all the time. */
static void lines_fill(void)
{
	for (uint32_t line = 0; line < LINES; line++) {
		nsec_t begin = line * 1000, end, last = LENGTH - line * 2000;

		for (; begin < last; begin = end) {
			end = nsec_min(last, begin + 1 + below(10u << 2 * line));
			line_add(line, begin, end,
			         below(2) ? SEGMENT_RUN
			                  : (enum segment_kind)below(SEGMENT_UNKNOWN + 1),
			         (uint16_t)below(CPUS));
		}
	}
}

/* More than one batch, and CPUs nobody ran on, against a count ns by ns. */
START_TEST(every_line_has_what_it_ran)
{
	struct competitors competitors;
	nsec_t expected[LINES] = {0}, end = LENGTH;
	size_t stretches = 0;

	lines_fill();
	competitors_init(&competitors, &timeline);
	while (end > 100) {
		nsec_t begin = end - below(24);
		uint16_t cpu = (uint16_t)below(CPUS + 2);

		competitors_add(&competitors, cpu, begin, end);
		for (int line = 0; line < LINES; line++)
			for (nsec_t t = begin; t < end; t++)
				expected[line] += cpu_at[line][t] == cpu;
		end = begin - below(20);
		stretches++;
	}
	ck_assert_uint_gt(stretches, 2 * COMPETITORS_BATCH);
	competitors_finish(&competitors);
	for (int line = 0; line < LINES; line++) {
		ck_assert_uint_gt(expected[line], 0);
		ck_assert_uint_eq(competitors.by_line[line], expected[line]);
	}
	competitors_release(&competitors);
}
END_TEST

START_TEST(nobody_runs_on_an_idle_cpu)
{
	struct competitors competitors;

	line_add(0, 100, 150, SEGMENT_RUN, 2);
	line_add(0, 150, 300, SEGMENT_RUN, 0);
	competitors_init(&competitors, &timeline);
	competitors_add(&competitors, 7, 250, 290); /* nobody ever ran there */
	competitors_add(&competitors, 2, 140, 180);
	competitors_add(&competitors, 0, 120, 140); /* it ran elsewhere */
	competitors_finish(&competitors);
	ck_assert_uint_eq(competitors.by_line[0], 10);
	ck_assert_uint_eq(competitors.by_line[1], 0);
	ck_assert_uint_eq(competitors.idle, 40 + 30 + 20);
	competitors_release(&competitors);
}
END_TEST

START_TEST(nothing_is_nobodys)
{
	struct competitors competitors;

	competitors_init(&competitors, &timeline);
	competitors_finish(&competitors);
	ck_assert_uint_eq(competitors.by_line[0], 0);
	ck_assert_uint_eq(competitors.idle, 0);
	competitors_release(&competitors);
}
END_TEST

Suite *competitors_suite(void)
{
	Suite *suite = suite_create("competitors");
	TCase *tests = tcase_create("competitors");

	tcase_add_checked_fixture(tests, timeline_setup, timeline_teardown);
	tcase_add_test(tests, every_line_has_what_it_ran);
	tcase_add_test(tests, nobody_runs_on_an_idle_cpu);
	tcase_add_test(tests, nothing_is_nobodys);
	suite_add_tcase(suite, tests);
	return suite;
}
