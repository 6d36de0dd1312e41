/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "views/summary/summary.h"

#include <stdlib.h>

#include "suites.h"

#define PERIOD ((nsec_t)50000000)
#define RUN    ((nsec_t)100000)

static struct timeline timeline;
static struct polling *polling;
static nsec_t now;

static void setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ false);
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
	polling_add(&polling, &timeline,
	            &(struct span){
			    .begin = now,
			    .end = now + length,
			    .kind = kind,
			    .is_quiet = true,
			    .cause = cause,
		    });
	now += length;
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
	struct polling closed;

	sleeps(20, PERIOD);
	/* held up, and something else */
	run(PERIOD / 2);
	sleeps(3, PERIOD);
	run(30 * PERIOD);
	sleeps(2, PERIOD * 4);
	sleeps(7, PERIOD);
	ck_assert(polling_close(polling, &closed));
	ck_assert_uint_eq(closed.all.count, 30);
	ck_assert_uint_eq(closed.all.waiting, 30 * PERIOD);
	/* one that is held up is still the same */
	ck_assert_uint_eq(closed.heaviest.count, 23);
	ck_assert_uint_eq(closed.heaviest.begin, 0);
	ck_assert_uint_eq(closed.heaviest.end, 23 * PERIOD + 22 * RUN + PERIOD / 2);
	/* to close is to look only */
	ck_assert(polling_close(polling, &closed));
	ck_assert_uint_eq(closed.all.count, 30);
}
END_TEST

START_TEST(the_heavier_period_is_kept)
{
	struct polling closed;

	sleeps(20, PERIOD);
	sleeps(10, PERIOD * 4);
	sleeps(6, PERIOD);
	ck_assert(polling_close(polling, &closed));
	ck_assert_uint_eq(closed.all.count, 10);
	ck_assert_uint_eq(closed.heaviest.waiting, 40 * PERIOD);
}
END_TEST

START_TEST(waits_in_between_make_a_beat)
{
	struct polling closed;

	for (unsigned i = 0; i < 20; i++) {
		sleeps(1, PERIOD);
		wait_for(CAUSE_DISK, PERIOD / 50);
		run(RUN);
	}
	ck_assert(!polling_close(polling, &closed));
	/* a few of many may come after one */
	run(10 * PERIOD);
	for (unsigned i = 0; i < 5; i++) {
		sleeps(4, PERIOD);
		wait_for(CAUSE_DISK, PERIOD / 50);
		run(RUN);
	}
	ck_assert(polling_close(polling, &closed));
	ck_assert_uint_eq(closed.all.count, 20);
}
END_TEST

START_TEST(nothing_without_a_series)
{
	struct polling closed;

	run(PERIOD);
	wait_for(CAUSE_DISK, PERIOD);
	ck_assert_ptr_null(polling);
	sleeps(POLL_LEAST_FEW - 1, PERIOD);
	run(PERIOD);
	sleeps(POLL_LEAST_FEW - 1, PERIOD);
	ck_assert(!polling_close(polling, &closed));
}
END_TEST

/* They count where there is nothing else, and the last ones do. */
START_TEST(few_sleeps_give_way)
{
	struct polling closed;

	sleeps(POLL_LEAST_FEW, 10 * PERIOD);
	run(PERIOD);
	sleeps(POLL_LEAST_FEW, 3 * PERIOD);
	ck_assert(polling_close(polling, &closed));
	ck_assert_uint_eq(closed.all.waiting, POLL_LEAST_FEW * 3 * PERIOD);
	ck_assert_uint_eq(closed.heaviest.count, POLL_LEAST_FEW);
	/* as long as no child's end does */
	ck_assert(!poll_is_proven(&closed.heaviest, &timeline));
	sleeps(POLL_LEAST, PERIOD);
	run(PERIOD);
	sleeps(POLL_LEAST_FEW, 10 * PERIOD);
	ck_assert(polling_close(polling, &closed));
	ck_assert_uint_eq(closed.all.waiting, POLL_LEAST * PERIOD);
	ck_assert(poll_is_proven(&closed.heaviest, &timeline));
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
	suite_add_tcase(suite, tests);
	return suite;
}
