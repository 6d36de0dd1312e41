/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "commands.h"

#include <string.h>

#include "analysis/analysis.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "base/text/suggest.h"
#include "base/xalloc.h"
#include "cmd/options/option_help.h"
#include "other_tools.h"

const struct common_question common_questions[] = {
	{"where did the time go", "--summary"},
	{"why did this one take so long", "--critical-path=TID|COMM"},
	{"the same as a picture", "--timeline"},
	{"which task waited for which other one", "--chains"},
	{"why are the slow requests slow", "--tail"},
	{"where do tasks sleep, what wakes them", "--off-cpu"},
	{"what do tasks run, by function", "--on-cpu"},
	{"how long are waits of which kind", "--waits --histogram --by kind"},
	{"which task had the CPU meanwhile", "--sched"},
	{"which task or service costs which one what", "--blame"},
	{"what does it cost, to compare with others", "--costs"},
	{"how late are timers, or periodic tasks", "--timers or --cycles --comm NAME"},
	{"which disk request was slow", "--disk"},
	{"which connection or request was slow", "--net"},
	{"which lock is contended", "--lock"},
	{"what do system calls cost", "--syscall"},
	{"which tasks wait for memory", "--memory"},
	{"how much time do interrupts take", "--irq"},
	{"what wakes an idle CPU", "--wakeups"},
	{"which processes began, ended, were killed", "--processes"},
	{"what happened between two times or marks", "--from TIME|MARK --to TIME|MARK"},
};
const size_t common_question_count = ARRAY_SIZE(common_questions);

void question_table_print(FILE *out)
{
	(void)fputs("What \"ftwait report FILE\" answers with which option:\n\n", out);
	for (size_t i = 0; i < common_question_count; i++) {
		const struct common_question *row = &common_questions[i];

		(void)fprintf(out, "  %-42s  %s\n", row->question, row->options);
	}
}

/*
 * make RECORDER=1 defines FTWAIT_RECORDER. The table then refers to no other commands, so the
 * linker drops them and all that only they use.
 */
#ifdef FTWAIT_RECORDER
static const char *const absent_commands[] = {"report", "explain", "browse", "why",
                                              "top",    "shot",    "diff",   "check",
                                              "schema"};
#else
static const char *const absent_commands[] = {NULL};
#endif

const struct command commands[] = {
	{"record", record_command, &record_option_set, "record what the kernel does into a file"},
#ifndef FTWAIT_RECORDER
	{"report", report_command, &report_option_set, "explain the waits in a trace.dat"},
	{"explain", explain_command, &explain_option_set,
	 "say in a few sentences what matters in it"},
	{"browse", browse_command, &browse_option_set,
	 "go from an answer to its cause, in the terminal"},
	{"why", why_command, &why_option_set, "say what a process waits for now"},
	{"top", top_command, &top_option_set, "show what tasks wait for, as it happens"},
	{"shot", shot_command, &shot_option_set, "make a flight recorder save what it has"},
	{"diff", diff_command, &diff_option_set, "say what changed between recordings"},
	{"check", check_command, &check_option_set, "say whether recordings keep a budget"},
	{"schema", schema_command, &schema_option_set, "print what --json writes, for programs"},
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
		if (absent_commands[i] && strcmp(absent_commands[i], name) == 0)
			return message_fail(true, "%s%s: this program was built to record alone; "
			                    "ftwait on another machine reads what it records",
			                    before, name);
	return false;
}

void command_complain(const char *name)
{
	_cleanup_(buffer_release) struct buffer mend = buffer_of(512);

	if (command_is_absent("", name))
		return;
	mend_append(&mend, name);
	message_error("no command \"%s\"%s (see \"ftwait help\")", name, mend.text);
}

int options_read(const struct option_set *set, int argc, char **argv, void *to,
                 struct operands *ret)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(1000);
	int r = options_parse(set, argc, argv, to, &why, ret);

	if (r < 0)
		return message_fail(STATUS_USAGE, "%s: %s (see \"ftwait help %s\")", set->command,
		                    why.text, set->command);
	if (r == OPTIONS_HELP) {
		option_help_show(set, /* has_pager= */ true);
		return STATUS_FINE;
	}
	return OPTIONS_GO_ON;
}
