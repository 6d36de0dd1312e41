/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/message.h"
#include "cmd/explain/answers.h"
#include "cmd/explain/question.h"
#include "commands.h"
#include "memory_end.h"

struct explain_options {
	struct report_options report;
	bool is_json;
};

static const struct option_row rows[] = {
	OPT_PIDS('p', "pid", struct explain_options, report.pids, "PID,...",
	         "these processes, or tasks of that tid", .has_hosts = true),
	OPT_LIST(0, "comm", struct explain_options, report.comms, "GLOB,...",
	         "tasks of that name, also where it is a word of a question"),
	OPT_STRING(0, "from", struct explain_options, report.from, "TIME|MARK",
	           "as for ftwait report"),
	OPT_STRING(0, "to", struct explain_options, report.to, "TIME|MARK", "the same"),
	OPT_BOOL(0, "json", struct explain_options, is_json,
	         "for programs; \"ftwait schema\" describes it"),
	OPT_STRING('o', "output", struct explain_options, report.output, "FILE", "write to FILE"),
	OPT_BOOL('q', "quiet", struct explain_options, report.is_quiet, "show no progress"),
};

const struct option_set explain_option_set = {
	.command = "explain",
	.operands = "FILE [QUESTION]",
	.about = "Says in at most five sentences of a report what matters in a recording, or what "
	         "answers the question: \"disk\", \"why is server slow\", \"lock\", 4711. Each has "
	         "its figure, how sure it is, and the command that shows more.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

static bool view_ask(struct report_options *options, const char *name)
{
	for (size_t i = 0; analyses[i]; i++)
		if (strcmp(analyses[i]->name, name) == 0)
			return options->views[i].is_given = true;
	return false;
}

static int unanswered_complain(const struct task_question *question, const char *path)
{
	_cleanup_(buffer_release) struct buffer words = buffer_of(1000);

	question_words_append(&words);
	return message_fail(STATUS_FAILED, "explain: %s has no such task%s; ask for a task that it "
	                    "has, or for: %s", path,
	                    question->tasks.count ? ", and the word is not understood" : "",
	                    words.text);
}

static int explain_file(struct explain_options *options, const char *path,
                        const char *const *words, size_t count)
{
	struct task_question question;
	_cleanup_(buffer_release) struct buffer asked = buffer_of(BUFFER_LIMIT_DEFAULT);
	struct explaining explaining = {.options = &options->report, .is_json = options->is_json};
	int status = STATUS_USAGE;

	for (size_t i = 0; i < count; i++)
		buffer_printf(&asked, "%s%s", i ? " " : "", words[i]);
	question_understand(words, count, &question);
	question_ask(&question, &options->report);
	explaining.question = count ? asked.text : NULL;
	explaining.view = question.view ? question.view->name : "summary";
	(void)view_ask(&options->report, explaining.view);
	for (size_t i = 0; strcmp(explaining.view, "summary") == 0 && answer_views[i]; i++)
		(void)view_ask(&options->report, answer_views[i]);
	if (strcmp(explaining.view, "waits") == 0)
		options->report.sort = "wait";
	options->report.has_evidence = true;
	options->report.presenter = &answer_presenter;
	options->report.presenter_own = &explaining;
	options->report.no_pager = true;
	if (report_options_check(&options->report) == 0)
		status = report_file(&options->report, path, NULL);
	if (explaining.is_unanswered && status == STATUS_FINE)
		status = unanswered_complain(&question, path);
	task_question_release(&question);
	return status;
}

int explain_command(int argc, char **argv)
{
	struct explain_options options = {.report = REPORT_OPTIONS_DEFAULT};
	struct operands operands;
	int status = options_read(&explain_option_set, argc, argv, &options, &operands);

	if (status != OPTIONS_GO_ON)
		return status;
	memory_end_prepare("explain", "read the recording where there is more memory");
	(void)signal(SIGXFSZ, SIG_IGN); /* as report does */
	if (operands.count == 0)
		status = message_fail(STATUS_USAGE,
		                      "explain: name a recording: ftwait explain FILE [QUESTION]");
	else
		status = explain_file(&options, operands.argv[0],
		                      (const char *const *)operands.argv + 1, operands.count - 1);
	options_release(&explain_option_set, &options);
	return status;
}
