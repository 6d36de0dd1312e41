/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "command_table.h"
#include "commands.h"
#include "completion.h"
#include "option_help.h"
#include "question_table.h"

#define QUESTIONS "questions" /* an operand that is no command */

struct help_options {
	struct optional_string completion;
	const char *complete; /* a shell, or "table" */
	bool no_pager;
};

/* A recorder alone (make RECORDER=1) has no completion. */
#ifdef FTWAIT_RECORDER
static const char *const absent[] = {"completion", "complete", NULL};
#else
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
	.operands = "[COMMAND|" QUESTIONS "]",
	.operand_values = VALUES_COMMANDS,
	.about = "Shows how to use COMMAND, which options of report answer which question, or the "
	         "list of commands.",
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
	            "which of them answer which question.\n", out);
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

static int help_show(const struct operands *operands, bool no_pager)
{
	const struct command *command;

	if (operands->count == 0) {
		help_overview_print(stdout);
		return STATUS_FINE;
	}
	command = command_find(operands->argv[0]);
	if (strcmp(operands->argv[0], QUESTIONS) == 0 && operands->count == 1) {
		question_table_print(stdout);
		return STATUS_FINE;
	}
	if (!command) {
		command_complain("help: ", operands->argv[0]);
		return STATUS_USAGE;
	}
	if (operands->count > 1) {
		message_error("help: one command at a time, not also \"%s\"", operands->argv[1]);
		return STATUS_USAGE;
	}
	option_help_show(command->options, !no_pager);
	return STATUS_FINE;
}

int help_command(int argc, char **argv)
{
	struct help_options options = {0};
	struct operands operands;
	int status;

	status = options_read(&help_option_set, argc, argv, &options, &operands);
	if (status >= 0)
		return status;
	return options.completion.is_given || options.complete
	               ? help_completion(&options, &operands)
	               : help_show(&operands, options.no_pager);
}
