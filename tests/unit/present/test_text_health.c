/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "ftwait/record.h"
#include "present/text/text_page.h"
#include "suites.h"

static char *health_text(const struct health *health, bool is_verbose)
{
	const struct presenter_options options = {.is_verbose = is_verbose};
	struct text_page page;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	text_page_init(&page, out, &options);
	text_page_health(&page, health, &(struct instant_form){.begin = 1000000000});
	text_page_release(&page);
	(void)fclose(out);
	return text;
}

static void check_health(const struct health *health, const char *expected)
{
	char *text = health_text(health, /* is_verbose= */ false);

	ck_assert_str_eq(text, expected);
	free(text);
}

START_TEST(all_well_is_one_line)
{
	const struct health health = {
		.events = 1234, .wakes_spurious = 5, .open_waits = 9, .task_ns = 7,
		.explained_ns = 7, .parts_by_confidence = {0, 0, 7},
	};

	check_health(&health,
	             "health: all of the tasks' time is explained; no events lost (1,234 read)\n");
}
END_TEST

START_TEST(a_trace_without_tasks)
{
	check_health(&(struct health){0}, "health: it has no events; no events lost (0 read)\n");
	check_health(&(struct health){.events = 3},
	             "health: it has no events of tasks; no events lost (3 read)\n");
}
END_TEST

/* Only all is all. */
START_TEST(shares_are_rounded_down)
{
	const struct health nearly = {
		.events = 1, .task_ns = 1000000, .explained_ns = 999999, .unseen_ns = 1,
		.late_events = 2,
	};
	char *text;
	const struct health half = {
		.events = 1, .task_ns = 1000, .explained_ns = 500, .unseen_ns = 400,
		.late_events = 1,
	};

	check_health(&nearly,
	             "health: 99.9 % of all tasks' time is explained; no events lost (1 read)\n");
	text = health_text(&nearly, /* is_verbose= */ true);
	ck_assert_str_eq(text,
	                 "health: 99.9 % of all tasks' time is explained; no events lost (1 read)\n"
	                 "  2 events have an earlier time than those before them: times around "
	                 "them are estimates\n"
	                 "  1 ns of all tasks' time is before the task's first event: nothing is "
	                 "recorded of it\n");
	free(text);
	check_health(&half,
	             "health: 50.0 % of all tasks' time is explained; no events lost (1 read)\n"
	             "  400 ns of all tasks' time is before the task's first event: nothing is "
	             "recorded of it\n"
	             "  cause not recorded for 100 ns of all tasks' time\n"
	             "  1 event has an earlier time than the one before it: times around it are "
	             "estimates\n");
}
END_TEST

START_TEST(losses_come_first)
{
	struct health health = {.events = 10, .task_ns = 2000, .explained_ns = 500};

	health_gap_add(&health, &(struct health_gap){1, 100, 1001000000, 1005000000});
	check_health(&health,
	             "health: 25.0 % of all tasks' time is explained; 100 events lost (10 read)\n"
	             "  100 events lost on CPU 1 between 0.001000 s and 0.005000 s: waits around "
	             "that time may be wrong, too long or missing\n"
	             "  cause not recorded, or lost, for 1.500 us of all tasks' time\n");
	health_release(&health);
}
END_TEST

START_TEST(losses_of_several_cpus)
{
	struct health health = {.events = 10, .task_ns = 1, .explained_ns = 1};

	health_gap_add(&health, &(struct health_gap){1, 100, 1001000000, 1005000000});
	health_gap_add(&health, &(struct health_gap){0, LOST_UNCOUNTED, 1002000000, 1003000000});
	health_gap_add(&health, &(struct health_gap){1, LOST_UNCOUNTED, 1007000000, 1008000000});
	check_health(&health,
	             "health: all of the tasks' time is explained; more than 100 events lost (10 "
	             "read)\n"
	             "  more than 100 events lost on 2 CPUs between 0.001000 s and 0.008000 s, in "
	             "3 gaps of together 6.000 ms: waits around that time may be wrong, too long "
	             "or missing\n"
	             "  CPU 1: more than 100 events lost between 0.001000 s and 0.008000 s, in 2 "
	             "gaps of together 5.000 ms\n"
	             "  CPU 0: an unknown number of events lost between 0.002000 s and 0.003000 "
	             "s\n");
	health_release(&health);
}
END_TEST

START_TEST(damage_is_no_proof_that_nothing_was_lost)
{
	check_health(&(struct health){.events = 26, .task_ns = 4, .explained_ns = 4,
	                               .input_damaged = true},
	             "health: the input is damaged; of what could be read, all of the tasks' time "
	             "is explained; events may be missing (26 read)\n");
}
END_TEST

/* What is unknown of other tasks does not matter. */
START_TEST(the_asked_tasks_decide)
{
	struct health health = {
		.events = 7, .task_ns = 1000, .explained_ns = 500, .asked_ns = 100,
		.asked_explained_ns = 95, .waits_without_waker = 2,
	};

	check_health(&health,
	             "health: 95.0 % of these tasks' time is explained; no events lost (7 read)\n");
	health.asked_explained_ns = 94;
	health.explained_ns = 1000;
	check_health(&health,
	             "health: 94.0 % of these tasks' time is explained; no events lost (7 read)\n"
	             "  2 waits ended without a recorded wakeup: cause not recorded\n"
	             "  cause not recorded for 6 ns of these tasks' time\n");
}
END_TEST

START_TEST(doubts_are_always_reported)
{
	struct health health = {.events = 7, .task_ns = 1, .explained_ns = 1};

	health_note(&health, "a note");
	health_doubt(&health, "a doubt");
	health_note(&health, "another note");
	check_health(&health,
	             "health: all of the tasks' time is explained; no events lost (7 read)\n"
	             "  a doubt\n");
	health_release(&health);
}
END_TEST

START_TEST(lines_beyond_some_are_counted)
{
	struct health health = {.task_ns = 2, .explained_ns = 1};
	char *text;

	for (int i = 0; i < 5; i++)
		health_note(&health, "note %d", i);
	check_health(&health,
	             "health: 50.0 % of all tasks' time is explained; no events lost (0 read)\n"
	             "  cause not recorded for 1 ns of all tasks' time\n"
	             "  note 0\n  note 1\n  ... 3 lines more with --verbose\n");
	text = health_text(&health, /* is_verbose= */ true);
	ck_assert_ptr_nonnull(strstr(text, "  note 3\n  note 4\n"));
	ck_assert_ptr_null(strstr(text, "--verbose"));
	free(text);
	health_release(&health);
}
END_TEST

START_TEST(every_doubt_is_reported)
{
	struct health health = {
		.undecoded_events = 1, .late_events = 2, .waits_without_waker = 3,
		.context_resyncs = 4, .inconsistencies = 5, .depth_truncations = 6,
		.task_ns = 7, .gaps_unlisted = 8, .input_damaged = true,
		.switches_missing = 12, .parts_by_confidence = {9, 10, 11},
		.idle_with_runnable = 13,
	};
	static const char *const reported[] = {
		("health: the input is damaged; of what could be read, 0.0 % of all tasks' time is "
		 "explained"), "1 event could not be read", "2 events have an earlier time",
		"3 waits ended", "4 interrupts", "5 events are out of order", "6 times too long",
		"7 ns of all tasks' time", "12 switches were not recorded by this kernel",
		"11 certain (high), 10 likely (medium), 9 guessed (low)", "a note\\x1b",
		"8 more gaps", "13 times a CPU idled",
	};
	char *text;

	health_note(&health, "a note\033");
	text = health_text(&health, /* is_verbose= */ true);
	for (size_t i = 0; i < ARRAY_SIZE(reported); i++)
		ck_assert_msg(strstr(text, reported[i]), "%s in %s", reported[i], text);
	free(text);
	health_release(&health);
}
END_TEST

Suite *text_health_suite(void)
{
	Suite *suite = suite_create("text_health");
	TCase *tests = tcase_create("text_health");

	tcase_add_test(tests, all_well_is_one_line);
	tcase_add_test(tests, a_trace_without_tasks);
	tcase_add_test(tests, shares_are_rounded_down);
	tcase_add_test(tests, losses_come_first);
	tcase_add_test(tests, losses_of_several_cpus);
	tcase_add_test(tests, damage_is_no_proof_that_nothing_was_lost);
	tcase_add_test(tests, the_asked_tasks_decide);
	tcase_add_test(tests, doubts_are_always_reported);
	tcase_add_test(tests, lines_beyond_some_are_counted);
	tcase_add_test(tests, every_doubt_is_reported);
	suite_add_tcase(suite, tests);
	return suite;
}
