/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ftwait/record.h"
#include "present/text_health.h"
#include "suites.h"

static char *health_text(const struct health *health)
{
	const struct presenter_options options = {0};
	const struct text_style style = text_style_of(&options);
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	text_health_put(out, &style, health, 1000000000);
	(void)fclose(out);
	return text;
}

static void check_health(const struct health *health, const char *expected)
{
	char *text = health_text(health);

	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(all_well_is_one_line)
{
	const struct health health = {
		.events = 1234, .wakes_spurious = 5, .open_waits = 9,
		.parts_by_confidence = {0, 0, 7},
	};

	check_health(&health, "health: complete, nothing lost (1,234 events read, 0 lost)\n");
}
END_TEST

START_TEST(stolen_time_is_a_doubt)
{
	const struct health health = {.events = 1, .has_steal = true, .steal_ns = 1};
	const struct health none = {.events = 1, .has_steal = true};

	check_health(&health, "health: nothing lost, but: (1 events read, 0 lost)\n");
	check_health(&none, "health: complete, nothing lost (1 events read, 0 lost)\n");
}
END_TEST

START_TEST(losses_come_first_by_cpu)
{
	struct health health = {.events = 10, .unknown_ns = 1500};

	health_gap_add(&health, &(struct health_gap){1, 100, 1001000000, 1005000000});
	health_gap_add(&health, &(struct health_gap){0, LOST_UNCOUNTED, 1002000000, 1003000000});
	health_gap_add(&health, &(struct health_gap){1, LOST_UNCOUNTED, 1007000000, 1008000000});
	check_health(&health,
	             "health: events were lost; distrust what happened around them: "
	             "(10 events read, 100 lost)\n"
	             "  CPU 1: more than 100 events lost between 0.001000 s and 0.008000 s, "
	             "in 2 gaps of together 5.000 ms\n"
	             "  CPU 0: an unknown number of events lost between 0.002000 s and 0.003000 s\n"
	             "  waits around a gap may be wrong, too long or missing\n"
	             "  1.500 us of task time is unknown (all tasks together)\n");
	health_release(&health);
}
END_TEST

/* How many of what, a note tells. */
START_TEST(forgotten_objects_are_a_doubt)
{
	struct health health = {.objects_forgotten = 3};

	health_note(&health, "more than 5 timers at once: forgot the oldest 3");
	check_health(&health, "health: nothing lost, but: (0 events read, 0 lost)\n"
	                      "  more than 5 timers at once: forgot the oldest 3\n");
	health_release(&health);
}
END_TEST

START_TEST(every_doubt_is_told)
{
	struct health health = {
		.undecoded_events = 1, .late_events = 2, .waits_without_waker = 3,
		.context_resyncs = 4, .inconsistencies = 5, .depth_truncations = 6,
		.unknown_ns = 7, .gaps_unlisted = 8, .input_damaged = true,
		.switches_missing = 12, .parts_by_confidence = {9, 10, 11},
	};
	static const char *const told[] = {
		"health: the input is damaged", "1 event could not be decoded", "2 events came out",
		"3 waits ended", "4 interrupts", "5 impossible", "6 chains cut", "7 ns of task time",
		"12 switches away from idle", "11 high, 10 medium, 9 low", "a note\\x1b",
	};
	char *text;

	health_note(&health, "a note\033");
	text = health_text(&health);
	for (size_t i = 0; i < ARRAY_SIZE(told); i++)
		ck_assert_msg(strstr(text, told[i]), "%s in %s", told[i], text);
	free(text);
	health_release(&health);
}
END_TEST

Suite *text_health_suite(void)
{
	Suite *suite = suite_create("text_health");
	TCase *tests = tcase_create("text_health");

	tcase_add_test(tests, all_well_is_one_line);
	tcase_add_test(tests, stolen_time_is_a_doubt);
	tcase_add_test(tests, losses_come_first_by_cpu);
	tcase_add_test(tests, forgotten_objects_are_a_doubt);
	tcase_add_test(tests, every_doubt_is_told);
	suite_add_tcase(suite, tests);
	return suite;
}
