/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "cmd/options/option_help.h"
#include "commands.h"
#include "help_topics.h"
#include "other_tools.h"

/*
 * `ftwait help --list WHAT [COMMAND]`, which the completion files in contrib/ ask: the words that
 * may stand somewhere on a command line, a line each, from the tables that the parser uses. A tab
 * and a phrase may follow a word.
 */

static const char *const own_lists[] = {"commands", "topics", "options"};

static void item_print(const char *word, const char *about)
{
	(void)printf("%s%s%s\n", word, about ? "\t" : "", about ? about : "");
}

static void commands_print(void)
{
	for (size_t i = 0; i < command_count; i++)
		item_print(commands[i].name, commands[i].summary);
}

/* The heads of columns are left out: they are many, and written with blanks. */
static void topic_print(void *unused, const char *name, const char *kind)
{
	(void)unused;
	if (strcmp(kind, "column") != 0)
		item_print(name, kind);
}

static void topics_print(void)
{
	commands_print();
	item_print(QUESTIONS, "which views answer which question");
	help_topics_each(topic_print, NULL);
}

/* Both forms, with "=" and without, if the value is optional. */
static void options_print(const struct option_set *set)
{
	struct option_row row;

	for (size_t i = 0; option_row_at(set, i, &row); i++) {
		if (row.type == OPTION_HEADING || row.is_hidden)
			continue;
		(void)printf("--%s%s%s\n", row.name, row.help ? "\t" : "",
		             row.help ? row.help : "");
		if (row.type == OPTION_OPTIONAL && row.argument)
			(void)printf("--%s=\t%s\n", row.name, row.argument);
	}
	item_print("--help", "show the options");
}

/* Finds the option that WHAT names, to list its values; false: the command has no such list. */
static bool row_find(const struct option_set *set, const char *what, struct option_row *ret)
{
	size_t dashes = strspn(what, "-");
	const char *name = what + dashes;
	size_t length = strcspn(name, "=");
	bool is_found = dashes == 1 && *name ? option_find_letter(set, *name, ret)
	                                     : option_find_name(set, name, length, ret);

	return is_found && ret->value_at &&
	       (dashes == 0 || name[length] == '=' || ret->type != OPTION_OPTIONAL);
}

/* The first command that has such a list; NULL: none has. */
static const struct command *command_with(const char *what, struct option_row *ret)
{
	for (size_t i = 0; i < command_count; i++)
		if (row_find(commands[i].options, what, ret))
			return &commands[i];
	return NULL;
}

/* The lists by name: "commands", "topics", "options", and each option that has a list of values;
   NULL beyond the last. */
static const char *help_list_at(size_t index)
{
	if (index < ARRAY_SIZE(own_lists))
		return own_lists[index];
	index -= ARRAY_SIZE(own_lists);
	for (size_t c = 0; c < command_count; c++) {
		struct option_row row, first;

		for (size_t i = 0; option_row_at(commands[c].options, i, &row); i++)
			if (row.value_at && command_with(row.name, &first) == &commands[c] &&
			    index-- == 0)
				return row.name;
	}
	return NULL;
}

static void complain(const char *what, const struct command *command)
{
	_cleanup_(buffer_release) struct buffer names = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (command) {
		message_error("help: --list %s: \"ftwait %s\" has no list of that name (see "
		              "\"ftwait help %s\")", what, command->name, command->name);
		return;
	}
	option_values_append(&names, help_list_at, " or ");
	message_error("help: --list %s: no such list; use %s", what, names.text);
}

/*
 * Prints the list. `what` is a name of help_list_at(), or an option as it stands on a command line:
 * "-e", "--format" and "--stacks=". Without the "=", an option of which the value may be left out
 * has no list there, as its value is never the next word. `command` selects the options of that
 * command; "" selects those of the first command that has the option. Returns the exit status.
 */
static int help_list_print(const char *what, const char *command)
{
	const struct command *of = command_find(command);
	struct option_row row;

	if (*command && !of) {
		command_complain(command);
		return STATUS_USAGE;
	}
	if (strcmp(what, "commands") == 0) {
		commands_print();
	} else if (strcmp(what, "topics") == 0) {
		topics_print();
	} else if (strcmp(what, "options") == 0 && of) {
		options_print(of->options);
	} else if (strcmp(what, "options") == 0) {
		return message_fail(STATUS_USAGE, "help: --list options: of which command? For "
		                    "example \"ftwait help --list options record\"");
	} else if (of ? row_find(of->options, what, &row) : command_with(what, &row) != NULL) {
		for (size_t i = 0; row.value_at(i); i++)
			item_print(row.value_at(i), row.about_at ? row.about_at(i) : NULL);
	} else {
		complain(what, of);
		return STATUS_USAGE;
	}
	return STATUS_FINE;
}

#define QUESTION "question" /* the same as QUESTIONS */

struct help_options {
	const char *list;
	bool no_pager;
};

/* A recorder alone (make RECORDER=1) has no topics. */
#ifdef FTWAIT_RECORDER
#define OPERANDS "[COMMAND|" QUESTIONS "]"
#define ABOUT                                                                                   \
	"Shows how to use COMMAND, or the list of commands. This program records alone: the "   \
	"manual, ftwait-record(1) and ftwait-views(7), explains groups of events and views."
#else
#define OPERANDS "[COMMAND|TOPIC|" QUESTIONS "]"
#define ABOUT                                                                                   \
	"Shows how to use COMMAND, what the manual says of TOPIC, which options of report "      \
	"answer which question, or the list of commands. A topic is a view (chains), a group "   \
	"of events, a kind of cause, a stall, or a column (LONGEST); \"views\", \"groups\", "    \
	"\"causes\", \"stalls\" and \"columns\" are all of a kind."
#endif

static const struct option_row rows[] = {
	OPT_STRING_OF(0, "list", struct help_options, list, help_list_at, "WHAT",
	              "for the completion of shells: the commands, the topics, the options of "
	              "COMMAND, or the values of an option, a line each"),
	OPT_BOOL(0, "no-pager", struct help_options, no_pager, OPTION_NO_PAGER_HELP),
};

const struct option_set help_option_set = {
	.command = "help",
	.operands = OPERANDS,
	.about = ABOUT,
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
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
	ARRAY_ADD(list->name, list->count, list->capacity) = xstrdup(name);
}

static void help_complain(const char *name)
{
	_cleanup_(name_list_release) struct name_list names = {0};
	_cleanup_(buffer_release) struct buffer mend = buffer_of(512);
	const char *near;

	if (command_is_absent("help: ", name))
		return;
	for (size_t i = 0; i < command_count; i++)
		name_add(&names, commands[i].name, "command");
	help_topics_each(name_add, &names);
	near = suggest(name, (const char *const *)names.name, names.count);
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

static int help_show(const struct operands *operands, const struct help_options *options)
{
	_cleanup_(buffer_release) struct buffer name = buffer_of(BUFFER_LIMIT_DEFAULT);
	const struct command *command;

	operands_append(&name, operands);
	if (options->list)
		return help_list_print(options->list, name.text);
	if (operands->count == 0) {
		help_overview_print(stdout);
		return STATUS_FINE;
	}
	command = command_find(name.text);
	if (command) {
		option_help_show(command->options, !options->no_pager);
		return STATUS_FINE;
	}
	if (strcmp(name.text, QUESTIONS) == 0 || strcmp(name.text, QUESTION) == 0) {
		question_table_print(stdout);
		return STATUS_FINE;
	}
	if (help_topics_show(name.text, !options->no_pager))
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
	return help_show(&operands, &options);
}
