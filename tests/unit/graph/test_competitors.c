/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "graph/walk/competitors.h"
#include "suites.h"

#define TRACKS 5
#define CPUS   3
#define LENGTH 200000 /* ns */
#define NO_CPU UINT16_MAX

static struct timeline timeline;
static struct interrupt_log interrupts;
static struct had_cpu had;
static uint16_t *cpu_at[TRACKS]; /* where each track ran, ns by ns */
static bool is_interrupted[CPUS][LENGTH];

static void timeline_setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	memset(is_interrupted, 0, sizeof(is_interrupted));
	for (int32_t track = 0; track < TRACKS; track++) {
		(void)timeline_add_track(&timeline, 100 + track);
		cpu_at[track] = xcalloc(LENGTH, sizeof(*cpu_at[track]));
		for (nsec_t t = 0; t < LENGTH; t++)
			cpu_at[track][t] = NO_CPU;
	}
}

static void timeline_teardown(void)
{
	for (int track = 0; track < TRACKS; track++)
		free(cpu_at[track]);
	timeline_release(&timeline);
	interrupt_log_release(&interrupts);
	had_cpu_release(&had);
}

static void track_add(uint32_t track, nsec_t begin, nsec_t end, enum segment_kind kind,
                      uint16_t cpu)
{
	timeline_add_span(
		&timeline,
		&(struct span){.track = track, .begin = begin, .end = end, .kind = kind,
		               .cpu = cpu});
	for (nsec_t t = begin; t < end && kind == SEGMENT_RUN; t++)
		cpu_at[track][t] = cpu;
}

static uint64_t seed = 1;

static uint64_t below(uint64_t limit)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % limit;
}

/* Tracks that begin late, end early, run long, or change between CPUs all the time. */
static void tracks_fill(void)
{
	for (uint32_t track = 0; track < TRACKS; track++) {
		nsec_t begin = track * 1000, end, last = LENGTH - track * 2000;

		for (; begin < last; begin = end) {
			end = nsec_min(last, begin + 1 + below(10u << 2 * track));
			track_add(track, begin, end,
			          below(2) ? SEGMENT_RUN
			                   : (enum segment_kind)below(SEGMENT_UNKNOWN + 1),
			          (uint16_t)below(CPUS));
		}
	}
}

static void interrupt_add(uint32_t cpu, nsec_t begin, nsec_t end)
{
	interrupt_log_add(&interrupts, cpu, begin, end);
	for (nsec_t t = begin; t < end; t++)
		is_interrupted[cpu][t] = true;
}

/* One in the other, of no length, of many; the last CPU has none. */
static void interrupts_fill(void)
{
	for (uint32_t cpu = 0; cpu + 1 < CPUS; cpu++) {
		nsec_t begin = below(50);

		while (begin + 1000 < LENGTH) {
			nsec_t end = begin + below(200);

			if (below(2) && end > begin + 60) {
				interrupt_add(cpu, begin + 10, begin + 20 + below(10));
				interrupt_add(cpu, begin + 31, begin + 31 + below(20));
			}
			interrupt_add(cpu, begin, end);
			begin = end + below(400);
		}
	}
}

/* More than one batch, and CPUs nobody ran on, against a count ns by ns. */
START_TEST(every_track_has_what_it_ran)
{
	struct competitors competitors;
	nsec_t expected[TRACKS] = {0}, expected_interrupted = 0, all = 0, end = LENGTH;
	size_t stretches = 0;

	tracks_fill();
	interrupts_fill();
	competitors_init(&competitors, &timeline, &interrupts, &had);
	while (end > 100) {
		nsec_t begin = end - below(24);
		uint16_t cpu = (uint16_t)below(CPUS + 2);

		competitors_add(&competitors, cpu, begin, end, PRIORITY_UNKNOWN);
		for (int track = 0; track < TRACKS; track++)
			for (nsec_t t = begin; t < end; t++)
				expected[track] += cpu_at[track][t] == cpu &&
				                   !is_interrupted[cpu][t];
		for (nsec_t t = begin; t < end && cpu < CPUS; t++)
			expected_interrupted += is_interrupted[cpu][t];
		all += end - begin;
		end = begin - below(20);
		stretches++;
	}
	ck_assert_uint_gt(stretches, 2 * COMPETITORS_BATCH);
	competitors_finish(&competitors);
	for (int track = 0; track < TRACKS; track++) {
		ck_assert_uint_gt(expected[track], 0);
		ck_assert_uint_eq(had.by_track[track], expected[track]);
	}
	ck_assert_uint_gt(expected_interrupted, 0);
	ck_assert_uint_eq(had.interrupts, expected_interrupted);
	ck_assert_uint_eq(had.all, all);
}
END_TEST

START_TEST(nobody_runs_on_an_idle_cpu)
{
	struct competitors competitors;

	track_add(0, 100, 150, SEGMENT_RUN, 2);
	track_add(0, 150, 300, SEGMENT_RUN, 0);
	competitors_init(&competitors, &timeline, &interrupts, &had);
	competitors_add(&competitors, 7, 250, 290, PRIORITY_UNKNOWN); /* nobody ever ran there */
	competitors_add(&competitors, 2, 140, 180, PRIORITY_UNKNOWN);
	competitors_add(&competitors, 0, 120, 140, PRIORITY_UNKNOWN); /* it ran elsewhere */
	competitors_finish(&competitors);
	ck_assert_uint_eq(had.by_track[0], 10);
	ck_assert_uint_eq(had.by_track[1], 0);
	ck_assert_uint_eq(had.idle, 40 + 30 + 20);
}
END_TEST

/* An interrupt that lies across the ends of two stretches is part of both. */
START_TEST(interrupts_are_nobodys_run)
{
	struct competitors competitors;

	track_add(0, 100, 300, SEGMENT_RUN, 1);
	interrupt_add(1, 120, 130);
	interrupt_add(1, 190, 210);
	interrupt_add(1, 260, 270);
	interrupt_add(1, 255, 280);
	interrupt_add(1, 340, 360);
	competitors_init(&competitors, &timeline, &interrupts, &had);
	competitors_add(&competitors, 1, 200, 400, PRIORITY_UNKNOWN);
	competitors_add(&competitors, 1, 110, 200, PRIORITY_UNKNOWN);
	competitors_finish(&competitors);
	ck_assert_uint_eq(had.interrupts, 10 + 20 + 25 + 20);
	ck_assert_uint_eq(had.by_track[0], 190 - 10 - 20 - 25);
	ck_assert_uint_eq(had.idle, 100 - 20);
}
END_TEST

START_TEST(nothing_is_nobodys)
{
	struct competitors competitors;

	competitors_init(&competitors, &timeline, &interrupts, &had);
	competitors_finish(&competitors);
	ck_assert_uint_eq(had.by_track[0], 0);
	ck_assert_uint_eq(had.idle, 0);
}
END_TEST

/* Sums go on, and loans with them. */
START_TEST(other_stretches_are_added)
{
	struct competitors competitors;
	struct had_cpu both = {0};

	track_add(0, 100, 300, SEGMENT_RUN, 1);
	for (int i = 0; i < 2; i++) {
		competitors_init(&competitors, &timeline, &interrupts, &had);
		competitors_add(&competitors, 1, 90, 110, PRIORITY_UNKNOWN);
		competitors_finish(&competitors);
	}
	ck_assert_uint_eq(had.by_track[0], 2 * 10);
	ck_assert_uint_eq(had.idle, 2 * 10);
	had.loan[3].total = 7;
	had_cpu_add(&both, &had);
	had_cpu_add(&both, &had);
	ck_assert_uint_eq(both.by_track[0], 4 * 10);
	ck_assert_uint_eq(both.all, 4 * 20);
	ck_assert_uint_eq(both.loan[3].total, 2 * 7);
	ck_assert_uint_eq(both.loan[0].total, 0);
	had_cpu_release(&both);
}
END_TEST

Suite *competitors_suite(void)
{
	Suite *suite = suite_create("competitors");
	TCase *tests = tcase_create("competitors");

	tcase_add_checked_fixture(tests, timeline_setup, timeline_teardown);
	tcase_add_test(tests, every_track_has_what_it_ran);
	tcase_add_test(tests, nobody_runs_on_an_idle_cpu);
	tcase_add_test(tests, interrupts_are_nobodys_run);
	tcase_add_test(tests, nothing_is_nobodys);
	tcase_add_test(tests, other_stretches_are_added);
	suite_add_tcase(suite, tests);
	return suite;
}
