/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/analysis.h"
#include "base/data/array.h"
#include "suites.h"

#define BEGIN 1000u /* of the trace, on its clock */
#define END   5000u

/* What is asked for, and which window is meant: once the trace has ended, and if it is absolute. */
static const struct {
	nsec_t from, to, begin, end, absolute_begin, absolute_end;
} windows[] = {
	{NSEC_NEVER, NSEC_NEVER, BEGIN, END, BEGIN, NSEC_NEVER},
	/* before the begin: since that */
	{200, 900, 1200, 1900, 1200, 1900},
	{0, 999, 1000, 1999, 1000, 1999},
	/* longer than the trace: on its clock */
	{4001, 4500, 4001, 4500, 4001, 4500},
	/* either: its length decides, where that is known */
	{1500, 2500, 2500, 3500, 1500, 2500},
	{1000, 4000, 2000, END, 1000, 4000},
	{500, 4900, 1500, 4900, 1500, 4900},
	{4500, 9000, 4500, END, 4500, 9000},
};

static struct timeline timeline;

static struct asked asked;
static struct question question;

static void question_ask(int i, bool is_absolute)
{
	asked = (struct asked){.from = windows[i].from, .to = windows[i].to};
	question = (struct question){
		.asked = &asked,
		.timeline = &timeline,
		.from = asked.from,
		.to = asked.to,
		.is_absolute = is_absolute,
	};
	timeline.begin = BEGIN;
	timeline.end = 0;
}

static void question_check(nsec_t begin, nsec_t end)
{
	struct resolved resolved = {0};

	timeline.end = END;
	question_resolve(&question, &resolved);
	ck_assert_ptr_eq(question.resolved, &resolved);
	ck_assert_uint_eq(resolved.begin, begin);
	ck_assert_uint_eq(resolved.end, end);
	ck_assert(!resolved.is_reversed);
	resolved_release(&resolved);
}

START_TEST(window_is_what_is_asked_for)
{
	question_ask(_i, /* is_absolute= */ false);
	question_check(windows[_i].begin, windows[_i].end);
}
END_TEST

/* An instant is read in one way, by whoever asks, while the trace is read and after. */
START_TEST(absolute_window_stays)
{
	nsec_t begin, end;

	question_ask(_i, /* is_absolute= */ true);
	question_absolute_window(&question, &begin, &end);
	ck_assert_uint_eq(begin, windows[_i].absolute_begin);
	ck_assert_uint_eq(end, windows[_i].absolute_end);
	ck_assert(question_may_contain(&question, begin));
	ck_assert(asked.from == NSEC_NEVER || !question_may_contain(&question, begin - 1));
	ck_assert(question_may_touch(&question, begin - 1, begin));
	ck_assert(question_may_contain(&question, end - 1));
	ck_assert(asked.to == NSEC_NEVER || !question_may_contain(&question, end));
	question_check(begin, nsec_min(end, END));
}
END_TEST

/* What may turn out to be in the window is not dropped before. */
START_TEST(other_window_keeps_both_meanings)
{
	question_ask(_i, /* is_absolute= */ false);
	for (size_t i = 0; i < 2; i++) {
		nsec_t begin = i ? windows[_i].absolute_begin : windows[_i].begin;
		nsec_t end = i ? windows[_i].absolute_end : windows[_i].end;

		ck_assert(question_may_contain(&question, begin));
		ck_assert(question_may_contain(&question, nsec_min(end, END) - 1));
	}
}
END_TEST

Suite *question_suite(void)
{
	Suite *suite = suite_create("question");
	TCase *tests = tcase_create("question");

	tcase_add_loop_test(tests, window_is_what_is_asked_for, 0, ARRAY_SIZE(windows));
	tcase_add_loop_test(tests, absolute_window_stays, 0, ARRAY_SIZE(windows));
	tcase_add_loop_test(tests, other_window_keeps_both_meanings, 0, ARRAY_SIZE(windows));
	suite_add_tcase(suite, tests);
	return suite;
}
