/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/summary/summary.h"

#include <stdlib.h>

#include "graph/aims/awaited.h"
#include "suites.h"

#define PERIOD ((nsec_t)50000000)
#define RUN    ((nsec_t)100000)

static struct timeline timeline;
static struct resolved resolved;
static struct polling *polling;
static uint32_t track;
static nsec_t now;

static void setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	track = timeline_add_track(&timeline, 100);
	resolved = (struct resolved){.is_windowed = false};
	polling = NULL;
	now = 0;
}

static void teardown(void)
{
	timeline_release(&timeline);
	free(polling);
}

static void add(enum segment_kind kind, nsec_t length, const struct cause_note *cause)
{
	timeline_add_span(&timeline, &(struct span){
		.track = track,
		.begin = now,
		.end = now + length,
		.kind = kind,
		.detail = 'S',
		.is_quiet = true,
		.cause = cause,
	});
	now += length;
}

static void show_open(void)
{
	timeline_show_open(&timeline, &(struct span){
		.track = track,
		.begin = now,
		.end = now + RUN,
		.kind = SEGMENT_WAIT,
		.detail = 'S',
	});
}

/* Takes the series that are over, or all of them; returns what they are together. */
static struct polling taken(bool is_all)
{
	const struct question question = {
		.timeline = &timeline,
		.resolved = is_all ? &resolved : NULL,
	};
	struct polling closed;

	if (!is_all)
		show_open();
	timeline_find_awaited(&timeline);
	polling_take(&polling, &question, track);
	timeline_hide_open(&timeline, track);
	if (!polling_close(polling, &closed))
		closed = (struct polling){.until = 0};
	return closed;
}

static void run(nsec_t length)
{
	add(SEGMENT_RUN, length, NULL);
}

static void wait_for(enum cause_kind kind, nsec_t length)
{
	struct cause_note note;

	cause_note_init(&note, kind, CONFIDENCE_HIGH);
	if (kind == CAUSE_TIMER) {
		note.name = intern_adds(&timeline.names, "hrtimer_wakeup");
		note.as.timer.is_own = true;
		note.as.timer.is_limit = true;
	}
	add(SEGMENT_WAIT, length, &note);
}

static void sleeps(unsigned count, nsec_t length)
{
	for (unsigned i = 0; i < count; i++) {
		wait_for(CAUSE_TIMER, length);
		run(RUN);
	}
}

START_TEST(all_series_of_a_period_count)
{
	struct polling closed, again;

	sleeps(20, PERIOD);
	/* held up, and something else */
	run(PERIOD / 2);
	sleeps(3, PERIOD);
	run(30 * PERIOD);
	sleeps(2, PERIOD * 4);
	sleeps(7, PERIOD);
	closed = taken(true);
	ck_assert_uint_eq(closed.all.count, 30);
	ck_assert_uint_eq(closed.all.waiting, 30 * PERIOD);
	/* one that is held up is still the same */
	ck_assert_uint_eq(closed.heaviest.count, 23);
	ck_assert_uint_eq(closed.heaviest.begin, 0);
	ck_assert_uint_eq(closed.heaviest.end, 23 * PERIOD + 22 * RUN + PERIOD / 2);
	/* to close is to look only */
	ck_assert(polling_close(polling, &again));
	ck_assert_uint_eq(again.all.count, 30);
}
END_TEST

START_TEST(the_heavier_period_is_kept)
{
	struct polling closed;

	sleeps(20, PERIOD);
	sleeps(10, PERIOD * 4);
	sleeps(6, PERIOD);
	closed = taken(true);
	ck_assert_uint_eq(closed.all.count, 10);
	ck_assert_uint_eq(closed.heaviest.waiting, 40 * PERIOD);
}
END_TEST

START_TEST(waits_in_between_make_a_beat)
{
	for (unsigned i = 0; i < 20; i++) {
		sleeps(1, PERIOD);
		wait_for(CAUSE_DISK, PERIOD / 50);
		run(RUN);
	}
	ck_assert_uint_eq(taken(false).all.count, 0);
	/* a few of many may come after one */
	run(10 * PERIOD);
	for (unsigned i = 0; i < 5; i++) {
		sleeps(4, PERIOD);
		wait_for(CAUSE_DISK, PERIOD / 50);
		run(RUN);
	}
	ck_assert_uint_eq(taken(true).all.count, 20);
}
END_TEST

START_TEST(nothing_without_a_series)
{
	run(PERIOD);
	wait_for(CAUSE_DISK, PERIOD);
	(void)taken(false);
	ck_assert_ptr_null(polling);
	sleeps(POLL_LEAST_FEW - 1, PERIOD);
	run(PERIOD);
	sleeps(POLL_LEAST_FEW - 1, PERIOD);
	ck_assert_uint_eq(taken(true).all.count, 0);
}
END_TEST

/* They count where there is nothing else, and the last ones do. */
START_TEST(few_sleeps_give_way)
{
	struct polling closed;

	sleeps(POLL_LEAST_FEW, 10 * PERIOD);
	run(PERIOD);
	sleeps(POLL_LEAST_FEW, 3 * PERIOD);
	run(3 * PERIOD);
	sleeps(1, PERIOD);
	closed = taken(false);
	ck_assert_uint_eq(closed.all.waiting, POLL_LEAST_FEW * 3 * PERIOD);
	ck_assert_uint_eq(closed.heaviest.count, POLL_LEAST_FEW);
	/* as long as no child's end does */
	ck_assert(!poll_is_proven(&closed.heaviest, &timeline));
	sleeps(POLL_LEAST, PERIOD);
	run(PERIOD);
	sleeps(POLL_LEAST_FEW, 10 * PERIOD);
	closed = taken(true);
	/* the one before was of that length */
	ck_assert_uint_eq(closed.all.waiting, (POLL_LEAST + 1) * PERIOD);
	ck_assert(poll_is_proven(&closed.heaviest, &timeline));
}
END_TEST

/* A part of them is less than a series. */
START_TEST(forgotten_sleeps_count)
{
	struct polling closed;
	size_t forgotten = 0;

	sleeps(2, PERIOD);
	for (unsigned i = 0; i < 10; i++) {
		sleeps(2, PERIOD);
		(void)taken(false);
		timeline_mark_half(&timeline, now - PERIOD);
		timeline_trim(&timeline);
		forgotten = timeline.track[track].segments_gone;
	}
	ck_assert_uint_gt(forgotten, 30);
	sleeps(1, PERIOD);
	closed = taken(true);
	ck_assert_uint_eq(closed.all.count, 23);
	ck_assert_uint_eq(closed.heaviest.begin, 0);
	ck_assert_uint_eq(closed.heaviest.acts, 0);
}
END_TEST

/* Pieces of one series are taken once, though the last one may become longer. */
START_TEST(forgotten_pieces_count)
{
	struct polling closed;

	sleeps(POLL_LEAST, PERIOD);
	for (unsigned i = 0; i < 10; i++) {
		run(PERIOD);
		sleeps(1, PERIOD);
		run(PERIOD);
		sleeps(1, PERIOD);
		(void)taken(false);
		timeline_mark_half(&timeline, now - PERIOD);
		timeline_trim(&timeline);
	}
	closed = taken(true);
	ck_assert_uint_eq(closed.all.count, POLL_LEAST + 20);
	ck_assert_uint_eq(closed.all.waiting, (POLL_LEAST + 20) * PERIOD);
	ck_assert_uint_le(timeline.track[track].series[SERIES_OF_POLLS].count, 2);
}
END_TEST

START_TEST(a_window_has_its_sleeps)
{
	struct polling closed;

	sleeps(20, PERIOD);
	resolved = (struct resolved){
		.is_windowed = true,
		.begin = PERIOD / 2,
		.end = 10 * PERIOD,
	};
	/* of the first and the last what is in it */
	closed = taken(true);
	ck_assert_uint_eq(closed.all.count, 10);
	ck_assert_uint_eq(closed.all.waiting, 9 * PERIOD + PERIOD / 2 - 9 * RUN);
	ck_assert_uint_eq(closed.all.ran, 9 * RUN);
	ck_assert_uint_eq(poll_period(&closed.all), PERIOD);
	ck_assert_uint_eq(closed.heaviest.end, 20 * PERIOD + 19 * RUN);
}
END_TEST

Suite *polling_suite(void)
{
	Suite *suite = suite_create("polling");
	TCase *tests = tcase_create("polling");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, all_series_of_a_period_count);
	tcase_add_test(tests, the_heavier_period_is_kept);
	tcase_add_test(tests, waits_in_between_make_a_beat);
	tcase_add_test(tests, nothing_without_a_series);
	tcase_add_test(tests, few_sleeps_give_way);
	tcase_add_test(tests, forgotten_sleeps_count);
	tcase_add_test(tests, forgotten_pieces_count);
	tcase_add_test(tests, a_window_has_its_sleeps);
	suite_add_tcase(suite, tests);
	return suite;
}
