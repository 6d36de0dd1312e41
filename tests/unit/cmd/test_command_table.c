/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "cmd/commands.h"
#include "cmd/help_topics.h"
#include "cmd/other_tools.h"
#include "suites.h"

START_TEST(commands_are_complete)
{
	for (size_t i = 0; i < command_count; i++) {
		ck_assert(commands[i].run);
		ck_assert_str_eq(commands[i].options->command, commands[i].name);
		ck_assert_ptr_eq(command_find(commands[i].name), &commands[i]);
	}
	ck_assert_ptr_null(command_find("recor"));
	ck_assert_str_eq(command_suggest("recor"), "record");
}
END_TEST

static void row_check(const struct option_set *set, size_t at, const struct option_row *row)
{
	struct option_row other;

	ck_assert_ptr_nonnull(row->name);
	if (row->type == OPTION_HEADING)
		return;
	ck_assert_msg(row->help || row->value_at || row->help_append,
	              "--%s: help says nothing of it", row->name);
	ck_assert_msg(!row->help || row->help[strlen(row->help) - 1] != '.' || strstr(row->help, "..."),
	              "--%s: a phrase has no full stop", row->name);
	ck_assert_str_ne(row->name, "help");
	ck_assert_int_ne(row->letter, 'h');
	for (size_t i = 0; i < at && option_row_at(set, i, &other); i++) {
		if (other.type == OPTION_HEADING)
			continue;
		ck_assert_str_ne(other.name, row->name);
		ck_assert_msg(!row->letter || other.letter != row->letter, "-%c", row->letter);
	}
}

START_TEST(options_are_unique_and_reported)
{
	struct option_row row;

	for (size_t c = 0; c < command_count; c++)
		for (size_t i = 0; option_row_at(commands[c].options, i, &row); i++)
			row_check(commands[c].options, i, &row);
}
END_TEST

/* Each view is an option of report, with all that help and the parser need. */
START_TEST(views_are_options)
{
	const struct option_set *set = command_find("report")->options;

	for (size_t i = 0; analyses[i]; i++) {
		struct option_row row;
		size_t at = 0;

		while (option_row_at(set, at, &row) &&
		       (row.type == OPTION_HEADING || strcmp(row.name, analyses[i]->name) != 0))
			at++;
		ck_assert_msg(option_row_at(set, at, &row), "no --%s", analyses[i]->name);
		ck_assert_ptr_eq(row.help, analyses[i]->about);
		ck_assert_ptr_eq(row.argument, analyses[i]->argument);
		ck_assert_int_eq(!analyses[i]->argument, !analyses[i]->take_argument);
	}
}
END_TEST

static bool option_is_ours(const struct option_set *set, const char *spelling)
{
	struct option_row row;

	return spelling[1] == '-'
	               ? option_find_name(set, spelling + 2, strlen(spelling + 2), &row)
	               : option_find_letter(set, spelling[1], &row);
}

/* A word that stands in place of a command. */
static void foreign_command_check(const struct foreign_word *at)
{
	ck_assert_msg(!command_find(at->word), "%s is a command of ours", at->word);
	ck_assert_msg(!foreign_word_is_option(at->ours), "%s: an option of no command", at->word);
}

static void foreign_option_check(const struct foreign_word *at)
{
	const struct command *command = command_find(at->command);

	ck_assert_msg(command, "%s is no command", at->command);
	ck_assert_msg(!option_is_ours(command->options, at->word), "%s %s is an option of ours",
	              at->command, at->word);
	ck_assert_msg(!foreign_word_is_option(at->ours) ||
	                      option_is_ours(command->options, at->ours),
	              "%s %s: there is no %s", at->command, at->word, at->ours);
}

START_TEST(words_of_other_tools_lead_to_ours)
{
	for (size_t i = 0; i < foreign_word_count; i++) {
		const struct foreign_word *at = &foreign_words[i];

		if (at->command)
			foreign_option_check(at);
		else
			foreign_command_check(at);
		ck_assert_str_eq(foreign_word_find(at->command, at->word), at->ours);
	}
	ck_assert_ptr_null(foreign_word_find("report", "--disk"));
	ck_assert_ptr_null(foreign_word_find(NULL, "--iostat"));
}
END_TEST

/* Whether report has each option of the list. */
static void options_check(const char *options)
{
	struct option_row row;

	for (const char *at = strstr(options, "--"); at; at = strstr(at, " --")) {
		char name[64];
		size_t length;

		at += *at == ' ' ? 3 : 2;
		length = strcspn(at, " =");
		ck_assert_uint_lt(length, sizeof(name));
		memcpy(name, at, length);
		name[length] = '\0';
		ck_assert_msg(option_find_name(&report_option_set, name, length, &row), "--%s",
		              name);
	}
}

START_TEST(questions_name_options_and_fit_a_screen)
{
	char *text = NULL;
	size_t length, lines = 0;
	FILE *out = open_memstream(&text, &length);

	question_table_print(out);
	(void)fclose(out);
	for (const char *at = text; *at; lines++) {
		ck_assert_uint_le(strcspn(at, "\n"), 80);
		at += strcspn(at, "\n") + 1;
	}
	ck_assert_uint_le(lines, 23);
	free(text);
	ck_assert_uint_gt(common_question_count, 10);
	for (size_t i = 0; i < common_question_count; i++) {
		ck_assert_ptr_nonnull(strstr(common_questions[i].options, "--"));
		options_check(common_questions[i].options);
	}
}
END_TEST

struct name_count {
	const char *name, *kind;
	unsigned count;
};

static void name_count_add(void *context, const char *name, const char *kind)
{
	struct name_count *counted = context;

	if (strcmp(name, counted->name) == 0 && strcmp(kind, counted->kind) == 0)
		counted->count++;
}

static unsigned topics_count(const char *name, const char *kind)
{
	struct name_count counted = {.name = name, .kind = kind};

	help_topics_each(name_count_add, &counted);
	return counted.count;
}

/* The program has a section of the manual for each view that it has. */
START_TEST(help_explains_all_views)
{
	for (size_t i = 0; analyses[i]; i++)
		ck_assert_msg(topics_count(analyses[i]->name, "view") == 1, "%s", analyses[i]->name);
	ck_assert_uint_eq(topics_count("disk", "cause"), 1);
	ck_assert_uint_eq(topics_count("disk", "group"), 1); /* block */
	ck_assert_uint_eq(topics_count("delayed-ack", "stall"), 1);
	ck_assert_uint_eq(topics_count("LATE MAX", "column"), 1);
	ck_assert_uint_eq(topics_count("questions", "view"), 0);
	ck_assert(!help_topics_show("no such topic", /* has_pager= */ false));
}
END_TEST

Suite *command_table_suite(void)
{
	Suite *suite = suite_create("command_table");
	TCase *tests = tcase_create("command_table");

	tcase_add_test(tests, commands_are_complete);
	tcase_add_test(tests, options_are_unique_and_reported);
	tcase_add_test(tests, views_are_options);
	tcase_add_test(tests, help_explains_all_views);
	tcase_add_test(tests, questions_name_options_and_fit_a_screen);
	tcase_add_test(tests, words_of_other_tools_lead_to_ours);
	suite_add_tcase(suite, tests);
	return suite;
}
