/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "graph/aims/aim.h"
#include "graph/aims/awaited.h"
#include "graph/timeline/open_wait.h"
#include "suites.h"

/* The name of the aim is that of the variable, as that of a wait that has ended. */
START_TEST(an_open_lock_has_the_name_of_its_variable)
{
	const struct open_wait wait = {.kind = OPEN_WAIT_FUTEX, .address = 0x1000, .owner = 101};
	struct timeline timeline;
	struct cause_note note;
	uint32_t sleeper, owner;

	timeline_init(&timeline, /* keep_segments= */ true);
	sleeper = timeline_add_track(&timeline, 100);
	owner = timeline_add_track(&timeline, 101);
	(void)user_variables_add(&timeline.variables,
	                         &(struct user_variable){
					 .address = 0x1000,
					 .tgid = 100,
					 .name = intern_adds(&timeline.names, "big_lock"),
				 });
	cause_note_init(&note, CAUSE_UNKNOWN, CONFIDENCE_LOW);
	open_wait_refine_cause(&timeline, &wait, sleeper, owner, &note);
	ck_assert_str_eq(intern_text(&timeline.names, note.name), "futex big_lock");
	timeline_add_span(&timeline, &(struct span){
					     .track = sleeper,
					     .end = 10,
					     .kind = SEGMENT_WAIT,
					     .detail = 'S',
					     .cause = &note,
					     .is_open = true,
				     });
	timeline_find_awaited(&timeline);
	ck_assert_str_eq(brief_aim_of_segment(&timeline, sleeper, 0).name, "big_lock");
	timeline_release(&timeline);
}
END_TEST

Suite *open_wait_cause_suite(void)
{
	Suite *suite = suite_create("open_wait_cause");
	TCase *tests = tcase_create("core");

	tcase_add_test(tests, an_open_lock_has_the_name_of_its_variable);
	suite_add_tcase(suite, tests);
	return suite;
}
