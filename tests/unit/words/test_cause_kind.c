/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "words/cause/cause_kind.h"

#include "catalog/tracepoint.h"
#include "suites.h"

/* Whether the group records events of that kind, or no group records any. */
static bool group_has(const struct event_group *group, uint8_t kind)
{
	bool is_recorded = false;

	TRACEPOINT_EACH(row) {
		if (row->kind != kind)
			continue;
		if (tracepoint_is_of(row, group))
			return true;
		is_recorded |= row->group != NULL;
	}
	return !is_recorded;
}

START_TEST(events_that_show_a_cause_are_of_the_group)
{
	const struct showing_group *shown_by = cause_kinds[_i].shown_by;

	for (size_t i = 0; i < SHOWING_GROUPS_MAX && shown_by[i].name; i++) {
		const struct event_group *group = event_group_find(shown_by[i].name);

		ck_assert_msg(group, "%s: no group %s", cause_kinds[_i].name, shown_by[i].name);
		for (const uint8_t *kind = shown_by[i].kinds; *kind != EVENT_KIND_COUNT; kind++)
			ck_assert_msg(group_has(group, *kind), "%s: kind %u is not of %s",
			              cause_kinds[_i].name, *kind, group->name);
	}
}
END_TEST

/* The flight recorder records the groups that are not costly for a condition about the cause. */
START_TEST(each_cause_has_a_group_that_costs_little)
{
	const struct showing_group *first = cause_kinds[_i].shown_by;

	ck_assert(!first->name || !event_group_find(first->name)->is_costly);
}
END_TEST

Suite *cause_kind_suite(void)
{
	Suite *suite = suite_create("cause_kind");
	TCase *tcase = tcase_create("cause_kind");

	tcase_add_loop_test(tcase, events_that_show_a_cause_are_of_the_group, 0, CAUSE_KIND_COUNT);
	tcase_add_loop_test(tcase, each_cause_has_a_group_that_costs_little, 0, CAUSE_KIND_COUNT);
	suite_add_tcase(suite, tcase);
	return suite;
}
