/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/recorded.h"
#include "base/data/array.h"
#include "suites.h"

static struct buffer line;

static void line_setup(void)
{
	buffer_init(&line, BUFFER_LIMIT_DEFAULT);
}

static void line_teardown(void)
{
	buffer_release(&line);
}

static void check_line(const struct recorded *recorded, const char *groups, const char *expected)
{
	buffer_clear(&line);
	ck_assert(record_hint_append(&line, "", recorded, groups, /* stacks= */ false, ""));
	ck_assert_str_eq(line.text, expected);
}

START_TEST(what_was_asked_is_kept)
{
	static const int32_t pids[] = {7, 8};
	struct recorded recorded = {
		.notes = {.recorded = "sched,irq", .asked = "default", .pids.item = pids}};

	check_line(&recorded, "irq,lock,mm", "ftwait record -e +lock,+mm");
	recorded.notes.asked = "irq,ext4:*";
	recorded.notes.pids.count = 2;
	recorded.has_stacks = true;
	check_line(&recorded, "irq,lock", "ftwait record -e 'irq,ext4:*,lock' --stacks -p 7,8");
	recorded = (struct recorded){.has_stacks = false};
	check_line(&recorded, "", "ftwait record");
	check_line(&recorded, "irq,lock", "ftwait record -e +irq,+lock");
}
END_TEST

START_TEST(categories_of_atrace_are_named)
{
	struct recorded recorded = {.notes.is_of_atrace = true};

	check_line(&recorded, "irq,timer", "atrace irq, or ftwait record -e +irq,+timer");
	check_line(&recorded, "block,workqueue",
	           "atrace disk workq, or ftwait record -e +block,+workqueue");
	check_line(&recorded, "timer", "ftwait record -e +timer");
	check_line(&recorded, "", "ftwait record");
}
END_TEST

START_TEST(what_was_recorded_is_not_advised)
{
	struct recorded recorded = {.notes = {.recorded = "sched,irq,idle", .asked = "default"}};

	ck_assert(!record_hint_append(&line, "(", &recorded, "idle", /* stacks= */ false, ")"));
	ck_assert(!record_hint_append(&line, "(", &recorded, "irq,idle", /* stacks= */ false, ")"));
	ck_assert_str_eq(line.text, "");
	ck_assert(record_hint_append(&line, "(", &recorded, "idle", /* stacks= */ true, ")"));
	ck_assert_str_eq(line.text, "(ftwait record --stacks)");
	recorded.has_stacks = true;
	ck_assert(!record_hint_append(&line, "(", &recorded, "", /* stacks= */ true, ")"));
}
END_TEST

/* Whatever the words are, a shell that gets the line makes them of it again. */
START_TEST(a_command_is_quoted)
{
	static const char *const words[] = {"./a.out", "-x=1",    "two words",     "it's", "",
	                                    "$(rm *)", "`id`;&|", "caf\xc3\xa9 ~", "\\"};
	struct recorded recorded = {
		.notes.command = {.pid = 1, .word = words, .count = ARRAY_SIZE(words)},
	};

	check_line(&recorded, "",
	           "ftwait record -- ./a.out -x=1 'two words' 'it'\\''s' '' '$(rm *)' '`id`;&|' "
	           "'caf\xc3\xa9 ~' '\\'");
}
END_TEST

/* Controls, ends of lines, what turns the direction of writing, and what is no UTF-8. */
START_TEST(a_hostile_command_cannot_speak_to_the_terminal)
{
	static const char *const words[] = {"a\nb", "\x1b[31m'\\", "\xe2\x80\xae", "\xff"};
	struct recorded recorded = {
		.notes.command = {.pid = 1, .word = words, .count = ARRAY_SIZE(words)},
	};

	check_line(&recorded, "",
	           "ftwait record -- $'a\\x0ab' $'\\x1b[31m\\'\\\\' $'\\xe2\\x80\\xae' $'\\xff'");
}
END_TEST

START_TEST(what_is_not_known_is_a_placeholder)
{
	char text[2000] = {0};
	const char *const words[] = {text};
	struct recorded recorded = {.notes.command.pid = 1};

	check_line(&recorded, "", "ftwait record -- COMMAND");
	memset(text, 'x', sizeof(text) - 1);
	recorded.notes.command.word = words;
	recorded.notes.command.count = 1;
	check_line(&recorded, "", "ftwait record -- COMMAND");
}
END_TEST

START_TEST(only_groups_are_groups)
{
	struct recorded recorded = {.notes.recorded = "sched,irq,block:*"};

	ck_assert(recorded_has(&recorded, "sched,irq"));
	ck_assert(!recorded_has(&recorded, "sched,lock"));
	ck_assert(!recorded_has(&recorded, "iq"));
	ck_assert(!recorded_has(&recorded, "block"));
	recorded_lacks_append(&line, &recorded, "lock,irq,mm");
	ck_assert_str_eq(line.text, "lock, mm");
	recorded.notes.recorded = NULL;
	ck_assert(!recorded_has(&recorded, "sched"));
}
END_TEST

Suite *recorded_suite(void)
{
	Suite *suite = suite_create("recorded");
	TCase *tests = tcase_create("recorded");

	tcase_add_checked_fixture(tests, line_setup, line_teardown);
	tcase_add_test(tests, what_was_asked_is_kept);
	tcase_add_test(tests, what_was_recorded_is_not_advised);
	tcase_add_test(tests, categories_of_atrace_are_named);
	tcase_add_test(tests, a_command_is_quoted);
	tcase_add_test(tests, a_hostile_command_cannot_speak_to_the_terminal);
	tcase_add_test(tests, what_is_not_known_is_a_placeholder);
	tcase_add_test(tests, only_groups_are_groups);
	suite_add_tcase(suite, tests);
	return suite;
}
