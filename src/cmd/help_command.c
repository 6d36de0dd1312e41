/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "help_command.h"

#include "base/message.h"
#include "command_table.h"
#include "commands.h"
#include "completion.h"
#include "option_help.h"

struct help_options {
	bool is_completion;
};

static const struct option_row rows[] = {
	OPT_BOOL(0, "completion", struct help_options, is_completion,
	         "print the completion script for bash"),
};

const struct option_set help_option_set = {
	.command = "help",
	.operands = "[COMMAND]",
	.about = "Shows how to use COMMAND, or the list of commands.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

void help_overview_print(FILE *out)
{
	(void)fputs("usage: ftwait COMMAND [options] [operands]\n"
	            "\n"
	            "Records what the kernel does and explains what tasks wait for.\n"
	            "\n"
	            "commands:\n", out);
	for (size_t i = 0; i < command_count; i++)
		(void)fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
	(void)fputs("\n"
	            "  ftwait record -- make              record while a command runs\n"
	            "  ftwait report ftwait.dat           where the time went\n"
	            "  ftwait report ftwait.dat --chains  who waited for whom\n"
	            "\n"
	            "\"ftwait help COMMAND\" shows the options of a command.\n", out);
}

int help_command(int argc, char **argv)
{
	struct help_options options = {0};
	struct operands operands;
	const struct command *command;
	int status;

	status = options_read(&help_option_set, argc, argv, &options, &operands);
	if (status >= 0)
		return status;
	if (options.is_completion) {
		completion_print(stdout);
		return STATUS_FINE;
	}
	if (operands.count == 0) {
		help_overview_print(stdout);
		return STATUS_FINE;
	}
	command = command_find(operands.argv[0]);
	if (!command) {
		command_complain("help: ", operands.argv[0]);
		return STATUS_USAGE;
	}
	if (operands.count > 1) {
		message_error("help: one command at a time, not also \"%s\"", operands.argv[1]);
		return STATUS_USAGE;
	}
	option_help_print(stdout, command->options);
	return STATUS_FINE;
}
