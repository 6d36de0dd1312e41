/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/analysis.h"
#include "base/array.h"
#include "suites.h"

#define BEGIN 1000u /* of the trace, on its clock */
#define END   5000u

/* What is asked for, and which window is meant: once the trace has ended, and settled before. */
static const struct {
	nsec_t from, to, begin, end, settled_begin, settled_end;
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

START_TEST(window_is_what_is_asked_for)
{
	struct question question = {
		.timeline = &timeline, .from = windows[_i].from, .to = windows[_i].to};

	timeline.begin = BEGIN;
	timeline.end = END;
	question_resolve(&question);
	ck_assert_uint_eq(question.begin, windows[_i].begin);
	ck_assert_uint_eq(question.end, windows[_i].end);
	ck_assert(!question.is_reversed);
	question_release(&question);
}
END_TEST

/* An instant is read in one way, by whoever asks, while the trace is read and after. */
START_TEST(settled_window_stays)
{
	const nsec_t begin = windows[_i].settled_begin, end = windows[_i].settled_end;
	struct question question = {
		.timeline = &timeline, .from = windows[_i].from, .to = windows[_i].to};

	timeline.begin = BEGIN;
	timeline.end = 0;
	question_settle(&question);
	ck_assert_uint_eq(question.begin, begin);
	ck_assert_uint_eq(question.end, end);
	ck_assert(question_may_contain(&question, begin));
	ck_assert(!question_may_contain(&question, begin - 1));
	ck_assert(question_may_touch(&question, begin - 1, begin));
	ck_assert(question_may_contain(&question, end - 1));
	ck_assert(!question_may_contain(&question, end));
	timeline.end = END;
	question_resolve(&question);
	ck_assert_uint_eq(question.begin, begin);
	ck_assert_uint_eq(question.end, nsec_min(end, END));
	question_release(&question);
}
END_TEST

/* What may turn out to be in the window is not dropped before. */
START_TEST(unsettled_window_keeps_both_meanings)
{
	struct question question = {
		.timeline = &timeline, .from = windows[_i].from, .to = windows[_i].to};

	timeline.begin = BEGIN;
	timeline.end = 0;
	for (size_t i = 0; i < 2; i++) {
		nsec_t begin = i ? windows[_i].settled_begin : windows[_i].begin;
		nsec_t end = i ? windows[_i].settled_end : windows[_i].end;

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
	tcase_add_loop_test(tests, settled_window_stays, 0, ARRAY_SIZE(windows));
	tcase_add_loop_test(tests, unsettled_window_keeps_both_meanings, 0, ARRAY_SIZE(windows));
	suite_add_tcase(suite, tests);
	return suite;
}
