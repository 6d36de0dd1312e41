/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/paths/path_task.h"

#include "base/data/array.h"
#include "suites.h"

#define SECOND UINT64_C(1000000000)
#define BEGIN  (100 * SECOND) /* of the trace, on its clock */
#define END    (130 * SECOND)
#define TID    812

/* In seconds. The task waits from 104 to 110, is runnable until 112 and runs until 120; then
   another task has its tid, and waits until the end. */
static const struct {
	struct trigger_note trigger;
	nsec_t begin, end; /* of the window */
	nsec_t export_end; /* of an export, which does not know what comes */
} windows[] = {
	/* fired when the wait had ended */
	{{.since = 104, .at = 110, .tid = TID}, 104, 110, 110},
	/* fired while it waited, and while it was runnable */
	{{.since = 104, .at = 107, .tid = TID}, 104, 110, 107},
	{{.since = 110, .at = 111, .tid = TID}, 110, 112, 111},
	/* it runs; there is no such task; there is no task */
	{{.since = 104, .at = 115, .tid = TID}, 104, 115, 115},
	{{.since = 104, .at = 107, .tid = 9}, 104, 107, 107},
	{{.since = 104, .at = 107}, 104, 107, 107},
	/* before the task's begin */
	{{.since = 101, .at = 102, .tid = TID}, 101, 102, 102},
	/* the other task of that tid, whose wait does not end */
	{{.since = 121, .at = 125, .tid = TID}, 121, 130, 125},
	/* without a duration: the second before it */
	{{.since = 115, .at = 115, .tid = TID}, 114, 115, 115},
	{{.since = 115, .at = 115}, 114, 115, 115},
	{{.since = 0, .at = 0}, 100, 100, 100},
	/* beyond the trace */
	{{.since = 50, .at = 107}, 100, 107, 107},
	{{.since = 50, .at = 60, .tid = TID}, 100, 100, 100},
	{{.since = 125, .at = 140}, 125, 130, 130},
	{{.since = 135, .at = 140, .tid = TID}, 130, 130, 130},
};

static struct timeline timeline;
static struct asked asked;
static struct trigger_note trigger;
static struct question question;

static void span_add(uint32_t track, nsec_t begin, nsec_t end, enum segment_kind kind)
{
	timeline_add_span(&timeline, &(struct span){.track = track, .begin = begin * SECOND,
	                                            .end = end * SECOND, .kind = kind});
}

static void setup(void)
{
	uint32_t first, second;

	timeline_init(&timeline, /* keep_segments= */ true);
	first = timeline_add_track(&timeline, TID);
	span_add(first, 104, 110, SEGMENT_WAIT);
	span_add(first, 110, 112, SEGMENT_RUNNABLE);
	span_add(first, 112, 120, SEGMENT_RUN);
	second = timeline_add_track(&timeline, TID);
	span_add(second, 120, 121, SEGMENT_RUN);
	span_add(second, 121, 130, SEGMENT_WAIT);
	timeline.begin = BEGIN;
	timeline.end = END;
}

static void teardown(void)
{
	timeline_release(&timeline);
}

static void question_ask(int i, bool is_absolute)
{
	asked = (struct asked)ASKED_EVERYTHING;
	asked.at_trigger = true;
	trigger = windows[i].trigger;
	trigger.condition = "wait>1s";
	trigger.at *= SECOND;
	trigger.since *= SECOND;
	question = (struct question){
		.asked = &asked,
		.timeline = &timeline,
		.recording.trigger = &trigger,
		.from = NSEC_NEVER,
		.to = NSEC_NEVER,
		.is_absolute = is_absolute,
	};
}

static void window_check(nsec_t begin, nsec_t end)
{
	struct resolved resolved = {0};

	question_resolve(&question, &resolved);
	ck_assert_uint_eq(resolved.begin, begin * SECOND);
	ck_assert_uint_eq(resolved.end, end * SECOND);
	ck_assert(!resolved.is_reversed);
	resolved_release(&resolved);
}

START_TEST(the_window_is_of_what_fired)
{
	question_ask(_i, /* is_absolute= */ false);
	ck_assert(question_may_be_windowed(&question));
	/* nothing is dropped before */
	ck_assert(question_may_contain(&question, BEGIN));
	ck_assert(question_may_contain(&question, END));
	trigger_window_resolve(&question);
	window_check(windows[_i].begin, windows[_i].end);
}
END_TEST

/* An export knows only the begin of the trace. */
START_TEST(an_export_ends_when_it_fired)
{
	nsec_t begin, end;
	struct timeline whole = timeline;

	question_ask(_i, /* is_absolute= */ true);
	timeline.track_count = 0;
	timeline.end = BEGIN;
	trigger_window_resolve(&question);
	timeline = whole;
	question_absolute_window(&question, &begin, &end);
	ck_assert_uint_ge(begin, BEGIN);
	ck_assert_uint_le(begin, end);
	window_check(windows[_i].begin, windows[_i].export_end);
}
END_TEST

START_TEST(no_other_question_changes)
{
	question_ask(0, /* is_absolute= */ false);
	asked.at_trigger = false;
	ck_assert(!question_may_be_windowed(&question));
	trigger_window_resolve(&question);
	window_check(BEGIN / SECOND, END / SECOND);
}
END_TEST

START_TEST(the_task_is_that_of_the_time)
{
	const struct trigger_note early = {.tid = TID, .at = 103 * SECOND},
	                          first = {.tid = TID, .at = 104 * SECOND},
	                          second = {.tid = TID, .at = 120 * SECOND},
	                          none = {.at = 120 * SECOND};

	ck_assert_uint_eq(trigger_track_find(&timeline, &early), TRACK_NONE);
	ck_assert_uint_eq(trigger_track_find(&timeline, &first), 0);
	ck_assert_uint_eq(trigger_track_find(&timeline, &second), 1);
	ck_assert_uint_eq(trigger_track_find(&timeline, &none), TRACK_NONE);
	ck_assert_uint_eq(trigger_track_find(&timeline, NULL), TRACK_NONE);
}
END_TEST

Suite *trigger_window_suite(void)
{
	Suite *suite = suite_create("trigger_window");
	TCase *tests = tcase_create("trigger_window");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, the_window_is_of_what_fired, 0, ARRAY_SIZE(windows));
	tcase_add_loop_test(tests, an_export_ends_when_it_fired, 0, ARRAY_SIZE(windows));
	tcase_add_test(tests, no_other_question_changes);
	tcase_add_test(tests, the_task_is_that_of_the_time);
	suite_add_tcase(suite, tests);
	return suite;
}
