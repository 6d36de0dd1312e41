/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/asked_window.h"

#include <stdlib.h>
#include <time.h>

#include "base/data/array.h"
#include "suites.h"

#define SECOND UINT64_C(1000000000)
#define BEGIN  (100 * SECOND) /* of the trace, on its clock: 23:59:50 */
#define END    (130 * SECOND) /* 00:00:20 */
/* 2026-11-26 00:00 in UTC */
#define MIDNIGHT (1795651200 * SECOND)

static const struct realtime realtime = {{{.time = BEGIN, .real = MIDNIGHT - 10 * SECOND},
                                          {.time = END, .real = MIDNIGHT + 20 * SECOND}}, 2};

static const struct {
	const char *from, *to;  /* times of day; NULL: not given */
	nsec_t from_time;       /* a time, if `from` is NULL */
	nsec_t begin, end;      /* of the window, in seconds */
	bool is_reversed;
} windows[] = {
	{"23:59:55", "00:00:05", NSEC_NEVER, 105, 115, false},
	{"23:59:55.5", NULL, NSEC_NEVER, 105, 130, false},
	{NULL, "00:00", NSEC_NEVER, 100, 110, false},
	{NULL, "00:00:03", 5 * SECOND, 105, 113, false},
	{"2026-11-26 00:00:01", "2026-11-26T00:00:02", NSEC_NEVER, 111, 112, false},
	/* beyond the trace */
	{"23:59", "00:01", NSEC_NEVER, 100, 130, false},
	{"00:05", NULL, NSEC_NEVER, 130, 130, false},
	{NULL, "23:50", NSEC_NEVER, 100, 100, false},
	{"2025-01-01 00:00", "2027-01-01 00:00", NSEC_NEVER, 100, 130, false},
	{"00:00:10", "00:00:05", NSEC_NEVER, 120, 120, true},
	{"00:00:10", "23:59:59", NSEC_NEVER, 120, 120, true},
};

static struct timeline timeline;
static struct asked asked;
static struct question question;

static void question_ask(int i, bool is_absolute)
{
	ck_assert_int_eq(setenv("TZ", "UTC0", 1), 0);
	tzset();
	asked = (struct asked){
		.from = windows[i].from_time, .to = NSEC_NEVER,
		.has_from_day = windows[i].from, .has_to_day = windows[i].to,
	};
	if (windows[i].from)
		ck_assert(day_time_read(windows[i].from, &asked.from_day));
	if (windows[i].to)
		ck_assert(day_time_read(windows[i].to, &asked.to_day));
	question = (struct question){
		.asked = &asked,
		.timeline = &timeline,
		.recording.realtime = &realtime,
		.from = asked.from,
		.to = asked.to,
		.is_absolute = is_absolute,
	};
	timeline.begin = BEGIN;
	timeline.end = is_absolute ? BEGIN : END;
}

static void window_check(int i)
{
	struct resolved resolved = {0};

	timeline.end = END;
	question_resolve(&question, &resolved);
	ck_assert_uint_eq(resolved.begin / SECOND, windows[i].begin);
	ck_assert_uint_eq(resolved.end / SECOND, windows[i].end);
	ck_assert_int_eq(resolved.is_reversed, windows[i].is_reversed);
	resolved_release(&resolved);
}

START_TEST(times_of_day_are_found)
{
	question_ask(_i, /* is_absolute= */ false);
	ck_assert(question_may_be_windowed(&question));
	/* nothing is dropped before */
	ck_assert(asked.from != NSEC_NEVER || question_may_contain(&question, BEGIN));
	ck_assert(question_may_contain(&question, END));
	day_window_resolve(&question);
	window_check(_i);
}
END_TEST

/* An export knows only the begin of the trace, and when the recording ended. */
START_TEST(an_export_finds_the_same)
{
	question_ask(_i, /* is_absolute= */ true);
	if (windows[_i].from_time != NSEC_NEVER) /* would be on the trace's clock */
		return;
	day_window_resolve(&question);
	window_check(_i);
	day_window_resolve(&question);
	window_check(_i);
}
END_TEST

Suite *day_window_suite(void)
{
	Suite *suite = suite_create("day_window");
	TCase *tests = tcase_create("day_window");

	tcase_add_loop_test(tests, times_of_day_are_found, 0, ARRAY_SIZE(windows));
	tcase_add_loop_test(tests, an_export_finds_the_same, 0, ARRAY_SIZE(windows));
	suite_add_tcase(suite, tests);
	return suite;
}
