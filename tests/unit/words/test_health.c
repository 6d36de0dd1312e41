/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ftwait/health.h"
#include "ftwait/record.h"
#include "suites.h"

START_TEST(notes_are_kept_once_and_bounded)
{
	struct health health = {0};

	health_note(&health, "same %d", 1);
	health_note(&health, "same %d", 1);
	ck_assert_uint_eq(health.note_count, 1);
	for (int i = 0; i < 2 * HEALTH_NOTES_MAX; i++)
		health_note(&health, "note %d", i);
	ck_assert_uint_eq(health.note_count, HEALTH_NOTES_MAX);
	ck_assert_str_eq(health.notes[0], "same 1");
	health_release(&health);
}
END_TEST

START_TEST(gaps_sum_what_is_counted)
{
	struct health health = {0};

	ck_assert(!health_is_impaired(&health));
	health_gap_add(&health, &(struct health_gap){.cpu = 1, .events = 7});
	health_gap_add(&health, &(struct health_gap){.cpu = 2, .events = LOST_UNCOUNTED});
	ck_assert_uint_eq(health.events_lost, 7);
	ck_assert_uint_eq(health.gap_count, 2);
	ck_assert(health_is_impaired(&health));
	health_release(&health);
}
END_TEST

START_TEST(gaps_are_bounded)
{
	struct health health = {0};

	for (int i = 0; i < HEALTH_GAPS_MAX + 3; i++)
		health_gap_add(&health, &(struct health_gap){.events = 1});
	ck_assert_uint_eq(health.gap_count, HEALTH_GAPS_MAX);
	ck_assert_uint_eq(health.gaps_unlisted, 3);
	ck_assert_uint_eq(health.events_lost, HEALTH_GAPS_MAX + 3);
	health_release(&health);
}
END_TEST

Suite *health_suite(void)
{
	Suite *suite = suite_create("health");
	TCase *tests = tcase_create("health");

	tcase_add_test(tests, notes_are_kept_once_and_bounded);
	tcase_add_test(tests, gaps_sum_what_is_counted);
	tcase_add_test(tests, gaps_are_bounded);
	suite_add_tcase(suite, tests);
	return suite;
}
