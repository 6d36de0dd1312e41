/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command_table.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/message.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "commands.h"
#include "other_tools.h"

/*
 * make RECORDER=1 defines FTWAIT_RECORDER. The table then refers to no other commands, so the
 * linker drops them and all that only they use.
 */
#ifdef FTWAIT_RECORDER
static const char *const absent_commands[] = {"report", "why", "top", "shot", "diff", "check"};
#else
static const char *const absent_commands[] = {NULL};
#endif

const struct command commands[] = {
	{"record", record_command, &record_option_set, "record what the kernel does into a file"},
#ifndef FTWAIT_RECORDER
	{"report", report_command, &report_option_set, "explain the waits in a trace.dat"},
	{"why", why_command, &why_option_set, "say what a process waits for now"},
	{"top", top_command, &top_option_set, "show what tasks wait for, as it happens"},
	{"shot", shot_command, &shot_option_set, "make a flight recorder save what it has"},
	{"diff", diff_command, &diff_option_set, "say what changed between recordings"},
	{"check", check_command, &check_option_set, "say whether recordings keep a budget"},
#endif
	{"list", list_command, &list_option_set, "show what can be recorded on this kernel"},
	{"doctor", doctor_command, &doctor_option_set, "show what prevents recording"},
	{"cleanup", cleanup_command, &cleanup_option_set,
	 "remove what killed ftwait processes left"},
	{"help", help_command, &help_option_set, "show how to use a command"},
};

const size_t command_count = ARRAY_SIZE(commands);

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < command_count; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

const char *command_suggest(const char *name)
{
	const char *names[ARRAY_SIZE(commands)];

	for (size_t i = 0; i < command_count; i++)
		names[i] = commands[i].name;
	return suggest(name, names, command_count);
}

/* The view that has the name, or that does what other tools have by that name; NULL: none. */
static const char *view_suggest(const char *name)
{
	_cleanup_(freep) char *option = xasprintf("--%s", name);
	const char *ours = foreign_word_find("report", option);

	for (size_t i = 0; analyses[i]; i++)
		if (strcmp(analyses[i]->name, ours ? ours + 2 : name) == 0)
			return analyses[i]->name;
	return NULL;
}

/* Appends what might have been meant by a word that is no command. */
static void mend_append(struct buffer *to, const char *name)
{
	const char *view = view_suggest(name), *near = command_suggest(name);

	if (foreign_word_append(to, NULL, name))
		return;
	if (view)
		buffer_printf(to, "; did you mean \"ftwait report --%s\"?", view);
	else if (near)
		buffer_printf(to, "; did you mean \"%s\"?", near);
}

bool command_is_absent(const char *before, const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(absent_commands); i++)
		if (absent_commands[i] && strcmp(absent_commands[i], name) == 0) {
			message_error("%s%s: this program was built to record alone; ftwait on "
			              "another machine reads what it records", before, name);
			return true;
		}
	return false;
}

void command_complain(const char *name)
{
	_cleanup_(buffer_release) struct buffer mend = {0};

	if (command_is_absent("", name))
		return;
	buffer_init(&mend, 512);
	mend_append(&mend, name);
	message_error("no command \"%s\"%s (see \"ftwait help\")", name, mend.text);
}
