/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/message.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "command_table.h"
#include "commands.h"
#include "completion.h"
#include "help_topics.h"
#include "cmd/options/option_help.h"
#include "other_tools.h"
#include "question_table.h"

#define QUESTIONS "questions" /* an operand that is no command */
#define QUESTION  "question"  /* the same */

struct help_options {
	struct optional_string completion;
	const char *complete; /* a shell, or "table" */
	bool no_pager;
};

/* A recorder alone (make RECORDER=1) has no completion and no topics. */
#ifdef FTWAIT_RECORDER
#define OPERANDS "[COMMAND|" QUESTIONS "]"
#define ABOUT                                                                                   \
	"Shows how to use COMMAND, or the list of commands. This program records alone: the "   \
	"manual, ftwait-record(1) and ftwait-views(7), explains groups of events and views."
static const char *const absent[] = {"completion", "complete", NULL};
#else
#define OPERANDS "[COMMAND|TOPIC|" QUESTIONS "]"
#define ABOUT                                                                                   \
	"Shows how to use COMMAND, what the manual says of TOPIC, which options of report "      \
	"answer which question, or the list of commands. A topic is a view (chains), a group "   \
	"of events, a kind of cause, a stall, or a column (LONGEST); \"views\", \"groups\", "    \
	"\"causes\", \"stalls\" and \"columns\" are all of a kind."
static const char *const absent[] = {NULL};
#endif

static const struct option_row rows[] = {
#ifndef FTWAIT_RECORDER
	OPT_OPTIONAL(0, "completion", struct help_options, completion, "SHELL",
	             "print the completion script for bash (the default), zsh or fish",
	             .value_at = completion_shell_at),
	OPT_STRING(0, "complete", struct help_options, complete, "SHELL",
	           "what the scripts ask", .values = VALUES_NONE, .is_hidden = true),
#endif
	OPT_BOOL(0, "no-pager", struct help_options, no_pager, OPTION_NO_PAGER_HELP),
};

const struct option_set help_option_set = {
	.command = "help",
	.operands = OPERANDS,
	.operand_values = VALUES_COMMANDS,
	.about = ABOUT,
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
	.absent = absent,
};

static void examples_print(FILE *out)
{
	if (!command_find("report")) {
		(void)fputs("  ftwait record -- make              record while a command runs\n"
		            "  ftwait record -d 10 -o -           to standard output, for 10 s\n"
		            "\n"
		            "This program records alone; ftwait on another machine reads what "
		            "it records.\n"
		            "\"ftwait help COMMAND\" shows the options of a command.\n", out);
		return;
	}
	(void)fputs("  ftwait record -- make              record while a command runs\n"
	            "  ftwait report ftwait.dat           where the time went\n"
	            "  ftwait report ftwait.dat --chains  who waited for whom\n"
	            "\n"
	            "\"ftwait help COMMAND\" shows the options of a command, \"ftwait help "
	            QUESTIONS "\"\n"
	            "which of them answer which question, \"ftwait help chains\" what that view "
	            "shows.\n", out);
}

void help_overview_print(FILE *out)
{
	(void)fputs("usage: ftwait COMMAND [options] [operands]\n"
	            "\n"
	            "Records what the kernel does and explains what tasks wait for.\n"
	            "\n"
	            "commands:\n", out);
	for (size_t i = 0; i < command_count; i++)
		(void)fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
	(void)fputc('\n', out);
	examples_print(out);
}

/* Finds the shell of that name; without a name, bash. If there is none, prints the list of
   shells. */
static int shell_find(const char *option, const char *name, enum completion_shell *ret)
{
	_cleanup_(buffer_release) struct buffer shells = {0};

	*ret = COMPLETION_BASH;
	for (size_t i = 0; name && completion_shell_at(i); i++) {
		*ret = (enum completion_shell)i;
		if (strcmp(completion_shell_at(i), name) == 0)
			return 0;
	}
	if (!name)
		return 0;
	buffer_init(&shells, 100);
	option_values_append(&shells, completion_shell_at, " or ");
	message_error("help: --%s %s: unknown shell; use %s", option, name,
	              shells.text);
	return -EINVAL;
}

static int help_completion(const struct help_options *options, const struct operands *operands)
{
	enum completion_shell shell;

	if (options->complete && strcmp(options->complete, "table") == 0) {
		completion_fixed_print(stdout);
		return STATUS_FINE;
	}
	if (options->complete)
		return shell_find("complete", options->complete, &shell) < 0
		               ? STATUS_USAGE
		               : completion_answer(stdout, shell, operands->argv,
		                                   operands->count);
	if (shell_find("completion", options->completion.text, &shell) < 0)
		return STATUS_USAGE;
	completion_print(stdout, shell);
	return STATUS_FINE;
}

/* What help can be asked for. */
struct name_list {
	char **name;
	size_t count, capacity;
};

static void name_list_release(struct name_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->name[i]);
	free(list->name);
}

static void name_add(void *context, const char *name, const char *kind)
{
	struct name_list *list = context;

	(void)kind;
	ARRAY_GROW(list->name, list->count, list->capacity);
	list->name[list->count++] = xstrdup(name);
}

static bool view_is_absent(const char *name)
{
	const struct command *report = command_find("report");

	return report && option_is_absent(report->options, name);
}

static void help_complain(const char *name)
{
	_cleanup_(name_list_release) struct name_list names = {0};
	_cleanup_(buffer_release) struct buffer mend = {0};
	const char *near;

	if (command_is_absent("help: ", name))
		return;
	if (view_is_absent(name)) {
		message_error("help: %s: this program was built without this view", name);
		return;
	}
	for (size_t i = 0; i < command_count; i++)
		name_add(&names, commands[i].name, "command");
	help_topics_each(name_add, &names);
	near = suggest(name, (const char *const *)names.name, names.count);
	buffer_init(&mend, 512);
	if (!foreign_word_append(&mend, NULL, name) && near)
		buffer_printf(&mend, "; did you mean \"%s\"?", near);
	message_error("help: no command and no topic \"%s\"%s (see \"ftwait help%s\")", name,
	              mend.text, mend.length ? "" : " help");
}

static void operands_append(struct buffer *to, const struct operands *operands)
{
	for (size_t i = 0; i < operands->count; i++) {
		buffer_puts(to, i > 0 ? " " : "");
		buffer_puts(to, operands->argv[i]);
	}
}

static int help_show(const struct operands *operands, bool no_pager)
{
	_cleanup_(buffer_release) struct buffer name = {0};
	const struct command *command;

	if (operands->count == 0) {
		help_overview_print(stdout);
		return STATUS_FINE;
	}
	buffer_init(&name, BUFFER_LIMIT_DEFAULT);
	operands_append(&name, operands);
	command = command_find(name.text);
	if (command) {
		option_help_show(command->options, !no_pager);
		return STATUS_FINE;
	}
	if (strcmp(name.text, QUESTIONS) == 0 || strcmp(name.text, QUESTION) == 0) {
		question_table_print(stdout);
		return STATUS_FINE;
	}
	if (help_topics_show(name.text, !no_pager))
		return STATUS_FINE;
	help_complain(name.text);
	return STATUS_USAGE;
}

static void topic_find(void *context, const char *name, const char *kind)
{
	const char **wanted = context;

	if (*wanted && strcmp(kind, "view") == 0 && strcmp(name, *wanted) == 0)
		*wanted = NULL;
}

/* Whether it is the option of report for a view: "help --chains" is "help chains". */
static bool is_view_option(const char *word)
{
	const char *name = strncmp(word, "--", 2) == 0 ? word + 2 : NULL;

	if (!name)
		return false;
	if (view_is_absent(name))
		return true;
	help_topics_each(topic_find, &name);
	return !name;
}

int help_command(int argc, char **argv)
{
	struct help_options options = {0};
	struct operands operands;
	int status;

	if (argc > 1 && is_view_option(argv[1]))
		argv[1] += strlen("--");
	status = options_read(&help_option_set, argc, argv, &options, &operands);
	if (status >= 0)
		return status;
	return options.completion.is_given || options.complete
	               ? help_completion(&options, &operands)
	               : help_show(&operands, options.no_pager);
}
