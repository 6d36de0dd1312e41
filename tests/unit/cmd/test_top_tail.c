/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/top/top_tail.h"

#include "graph/timeline/interval.h"

#include "suites.h"

#define SECOND UINT64_C(1000000000)

/* An idle machine has no requests to walk, but interrupts for days. */
START_TEST(without_requests_interrupts_are_forgotten)
{
	struct top_wanted wanted = {0};
	struct source source = {0};
	struct top_requests requests;
	struct timeline timeline;
	struct top_tail tail;

	timeline_init(&timeline, /* keep_segments= */ true);
	top_tail_init(&tail, &wanted, &source);
	top_tail_begin(&tail, &timeline);
	for (nsec_t at = SECOND; at < 200 * SECOND; at += SECOND) {
		top_tail_take(&tail, &(struct interval){.kind = INTERVAL_IRQ, .begin = at,
		                                        .end = at + 5,
		                                        .phase[PHASE_STARTED] = at});
		top_tail_look(&tail, at + 10, &requests);
		ck_assert_uint_eq(requests.count, 0);
	}
	ck_assert_uint_eq(tail.tail.interrupts.cpu[0].count, TOP_TAIL_WINDOW / SECOND);
	top_tail_release(&tail);
	timeline_release(&timeline);
}
END_TEST

Suite *top_tail_suite(void)
{
	Suite *suite = suite_create("top_tail");
	TCase *tests = tcase_create("top_tail");

	tcase_add_test(tests, without_requests_interrupts_are_forgotten);
	suite_add_tcase(suite, tests);
	return suite;
}
