/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "graph/aims/aim.h"
#include "graph/aims/awaited.h"
#include "graph/timeline/timeline_tasks.h"
#include "suites.h"

/* A process with two threads, and its parent. */
enum {PARENT, ENDING, OTHER};

static struct timeline timeline;

static void wait_add(uint32_t track, uint8_t detail, const struct cause_note *cause)
{
	nsec_t begin = timeline.track[track].end;

	timeline_add_span(&timeline, &(struct span){
					     .track = track,
					     .begin = begin,
					     .end = begin + 10,
					     .kind = SEGMENT_WAIT,
					     .detail = detail,
					     .cause = cause,
				     });
}

static struct cause_note ended_by(uint32_t waker)
{
	struct cause_note note;

	cause_note_init(&note, CAUSE_TASK, CONFIDENCE_HIGH);
	note.waker = waker;
	return note;
}

static void setup(void)
{
	timeline_init(&timeline, /* keep_segments= */ true);
	for (int32_t tid = 100; tid <= 102; tid++)
		(void)timeline_add_track(&timeline, tid);
	timeline.track[PARENT].tgid = 100;
	timeline.track[ENDING].tgid = timeline.track[OTHER].tgid = 101;
	timeline.track[ENDING].parent = PARENT;
	timeline.track[OTHER].parent = ENDING;
}

static void teardown(void)
{
	timeline_release(&timeline);
}

/* Asks of all waits in turn, twice, as views do. */
static void check_all(void)
{
	struct aim_cache kinds = {0}, keys = {0};
	const struct cause_note *note;

	timeline_find_awaited(&timeline);
	for (uint32_t i = 0; i < 2 * timeline.track_count; i++) {
		uint32_t track = i % (uint32_t)timeline.track_count;

		for (size_t at = 0; at < timeline.track[track].segment_count; at++) {
			struct aim_key key = aim_key_of(
				&timeline, brief_aim_of_segment(&timeline, track, at));
			struct aim_key known = aim_key_cached(&timeline, track, at, &keys);

			ck_assert_int_eq(timeline_aim_kind_cached(&timeline, track, at, &kinds),
			                 timeline_aim_kind(&timeline, track, at, &note));
			ck_assert_uint_eq(known.kind, key.kind);
			ck_assert_uint_eq(known.name, key.name);
		}
	}
}

static enum aim_kind kind_of(uint32_t track, size_t at)
{
	const struct cause_note *note;

	return timeline_aim_kind(&timeline, track, at, &note);
}

START_TEST(causes_with_one_place_are_kept_apart)
{
	struct cause_note note;

	for (uint32_t i = 0; i < 3 * AIMS_KNOWN; i++) {
		cause_note_init(&note, i < AIMS_KNOWN ? CAUSE_LOCK : CAUSE_DISK, CONFIDENCE_HIGH);
		note.origin = i; /* so that no two are alike */
		wait_add(OTHER, 'S', &note);
	}
	ck_assert_int_eq(kind_of(OTHER, 0), AIM_LOCK);
	ck_assert_int_eq(kind_of(OTHER, 2 * AIMS_KNOWN), AIM_DISK);
	check_all();
}
END_TEST

START_TEST(one_cause_is_another_aim_for_another_task)
{
	struct cause_note note = ended_by(ENDING);

	note.name = intern_adds(&timeline.names, "exit");
	wait_add(PARENT, 'S', &note);
	wait_add(OTHER, 'S', &note);
	ck_assert_uint_eq(timeline.track[PARENT].segment[0].cause,
	                  timeline.track[OTHER].segment[0].cause);
	ck_assert_int_eq(kind_of(PARENT, 0), AIM_CHILD);
	ck_assert_int_eq(kind_of(OTHER, 0), AIM_JOIN);
	check_all();
}
END_TEST

START_TEST(what_the_task_slept_in_counts)
{
	struct cause_note note = ended_by(PARENT);

	for (int i = 0; i < 4; i++)
		wait_add(OTHER, i % 2 ? 'S' | WAIT_FOR_WORK : 'S', &note);
	ck_assert_uint_eq(timeline.track[OTHER].segment[0].cause,
	                  timeline.track[OTHER].segment[1].cause);
	ck_assert_int_eq(kind_of(OTHER, 0), AIM_NONE);
	ck_assert_int_eq(kind_of(OTHER, 1), AIM_FOR_WORK);
	check_all();
}
END_TEST

/* What a tracker noted of the wait in the middle holds for that one alone. */
START_TEST(a_noted_aim_is_not_that_of_other_waits)
{
	struct cause_note note = ended_by(PARENT);

	for (int i = 0; i < 3; i++)
		wait_add(OTHER, 'S', &note);
	timeline_add_aim(&timeline, OTHER,
	                 &(struct aim_note){10, 20, CAUSE_NONE, AIM_CONDITION, AIM_LIMIT},
	                 /* cause= */ NULL);
	ck_assert_int_eq(kind_of(OTHER, 0), AIM_NONE);
	ck_assert_int_eq(kind_of(OTHER, 1), AIM_CONDITION);
	ck_assert_int_eq(kind_of(OTHER, 2), AIM_NONE);
	check_all();
}
END_TEST

Suite *aim_cache_suite(void)
{
	Suite *suite = suite_create("aim_cache");
	TCase *tests = tcase_create("core");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, causes_with_one_place_are_kept_apart);
	tcase_add_test(tests, one_cause_is_another_aim_for_another_task);
	tcase_add_test(tests, what_the_task_slept_in_counts);
	tcase_add_test(tests, a_noted_aim_is_not_that_of_other_waits);
	suite_add_tcase(suite, tests);
	return suite;
}
