/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/text/message.h"
#include "cmd/report/recordings.h"
#include "cmd/report/report_output.h"
#include "commands.h"
#include "compare/check_report.h"
#include "memory_end.h"
#include "present/picture/svg_text.h"
#include "recorder/machine/text_file.h"

/* The results of a check as CI systems read them. */

static void case_begin(struct buffer *to, const char *budget_path, const char *name)
{
	buffer_puts(to, "  <testcase classname=\"");
	svg_text_append(to, budget_path);
	buffer_puts(to, "\" name=\"");
	svg_text_append(to, name);
	buffer_puts(to, "\" time=\"0\"");
}

/* An element with a message, and a text inside, which may be NULL. */
static void outcome_put(struct buffer *to, const char *element, const char *message,
                        const char *text)
{
	buffer_printf(to, ">\n    <%s message=\"", element);
	svg_text_append(to, message);
	buffer_putc(to, '"');
	if (text) {
		buffer_putc(to, '>');
		svg_text_append(to, text);
		buffer_printf(to, "</%s>\n  </testcase>\n", element);
	} else {
		buffer_puts(to, "/>\n  </testcase>\n");
	}
}

static void health_put(struct buffer *to, const struct judgement *judgement,
                       const char *budget_path)
{
	case_begin(to, budget_path, "recordings are fit to judge");
	if (judgement->is_healthy)
		buffer_puts(to, "/>\n");
	else
		outcome_put(to, "error", judgement->unfit.text[0], NULL);
}

static void broken_put(struct buffer *to, const struct judged_rule *judged)
{
	_cleanup_(buffer_release) struct buffer message = {0}, text = {0};

	broken_rule_append(&message, judged);
	worst_case_append(&text, judged);
	if (text.length)
		buffer_printf(&text, ". %s", judged->measurement.worst.command);
	outcome_put(to, "failure", message.text, text.length ? text.text : NULL);
}

static void rule_put(struct buffer *to, const struct judgement *judgement,
                     const struct judged_rule *judged, const char *budget_path)
{
	_cleanup_(buffer_release) struct buffer why = {0};
	double value;

	case_begin(to, budget_path, judged->measurement.rule->text);
	if (!judgement->is_healthy) {
		outcome_put(to, "skipped", "the recordings are not fit to judge", NULL);
		return;
	}
	switch (judged->verdict) {
	case VERDICT_KEPT:
		buffer_puts(to, "/>\n");
		break;
	case VERDICT_BROKEN:
		broken_put(to, judged);
		break;
	case VERDICT_UNFIT:
		(void)measurement_value(&judged->measurement, &value, &why);
		outcome_put(to, "error", why.text, NULL);
		break;
	}
}

/*
 * Writes JUnit's XML: a test case for each rule, and one first for whether the recordings are fit
 * to judge. A broken rule is a failure; what cannot be judged is an error, but where the recordings
 * are not fit, all rules are skipped. Format: the schema of the Jenkins xunit plugin, of which this
 * uses what all readers know (testsuite, testcase, failure, error, skipped).
 */
static void junit_put(FILE *out, const struct judgement *judgement, const char *budget_path)
{
	bool is_healthy = judgement->is_healthy;
	size_t rules = judgement->budget->count;
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUFFER_LIMIT_DEFAULT);

	buffer_printf(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	                     "<testsuite name=\"ftwait check\" tests=\"%zu\" failures=\"%zu\" "
	                     "errors=\"%zu\" skipped=\"%zu\" time=\"0\">\n",
	              rules + 1, is_healthy ? judgement->broken : 0,
	              is_healthy ? judgement->unmeasured : 1, is_healthy ? 0 : rules);
	health_put(&text, judgement, budget_path);
	for (size_t i = 0; i < rules; i++) {
		rule_put(&text, judgement, &judgement->rule[i], budget_path);
		(void)fwrite(text.text, 1, text.length, out);
		buffer_clear(&text);
	}
	buffer_puts(&text, "</testsuite>\n");
	(void)fwrite(text.text, 1, text.length, out);
}

struct check_options {
	const char *budget, *junit;
	struct asked_options tasks;
	struct shown_options shown;
};

OPTION_WORDS(format_at, "text", "json", "csv")

static const struct option_row rows[] = {
	OPT_HEADING("What is judged"),
	OPT_STRING(0, "budget", struct check_options, budget, "FILE",
	           "the rules, a line each, like \"count disk of worker < 100\"; see "
	           "ftwait-check(1)"),
	ASKED_OPTION_ROWS(struct check_options, tasks),
	OPT_HEADING("Output"),
	OPT_STRING(0, "junit", struct check_options, junit, "FILE",
	           "also write the results as JUnit's XML"),
	SHOWN_OPTION_ROWS(struct check_options, shown, format_at),
};

const struct option_set check_option_set = {
	.command = "check",
	.operands = "FILE...",
	.about = "Says whether recordings keep a budget: exit status 0 if they do, 4 if a rule is "
	         "broken, 3 if the recordings are not fit to judge.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* Reads the rules. Returns the exit status; errors are printed. */
static int budget_read(const char *path, struct budget *ret)
{
	_cleanup_(buffer_release) struct buffer text = buffer_of(BUDGET_BYTES_MAX);
	_cleanup_(buffer_release) struct buffer why = buffer_of(BUFFER_LIMIT_DEFAULT);
	int r = text_file_read(path, &text);

	*ret = (struct budget){0};
	if (r < 0 && r != -EFBIG)
		return message_fail(STATUS_FAILED, "check: %s: %s", path, strerror(-r));
	if (r == -EFBIG)
		return message_fail(STATUS_USAGE, "check: %s: larger than 1 MiB, so this is no "
		                    "budget", path);
	if (budget_parse(ret, text.text, text.length, &why) == 0)
		return STATUS_FINE;
	return message_fail(STATUS_USAGE, "check: %s: %s", path, why.text);
}

static bool run_take(void *state, const struct report_run *run, const char *path)
{
	struct tail *tail = run->view_count > 1 ? run->view[1].own : NULL;

	judgement_take(state, &run->question, run->view[0].own, tail, run->loaded->source,
	               &run->health, path);
	return true;
}

static void check_put(const void *state, const struct output *to)
{
	check_report(state, to);
}

/* Prints an error and returns false if the file cannot be written. */
static bool junit_write(const struct check_options *options, const struct judgement *judgement,
                        const struct recordings *recordings)
{
	const struct report_target target = {
		.command = "check",
		.path = options->junit,
		.option = "--junit",
		.input = recordings->path,
		.input_count = recordings->count,
		.kept = {recordings->kept, {options->shown.output, "the file of -o"}},
	};
	struct report_output output;

	if (report_output_open(&target, &output) < 0)
		return false;
	if (report_output_begin(&output) < 0) {
		report_output_discard(&output);
		return false;
	}
	junit_put(output.to, judgement, options->budget);
	return report_output_close(&output) == 0;
}

static int status_of(const struct judgement *judgement)
{
	static const enum exit_status statuses[] = {
		[JUDGED_KEPT] = STATUS_FINE,
		[JUDGED_BROKEN] = STATUS_CHANGED,
		[JUDGED_UNFIT] = STATUS_IMPAIRED,
	};

	return (int)statuses[judgement_result(judgement)];
}

static int check_files(const struct check_options *options, const struct budget *budget,
                       char *const *paths, size_t count)
{
	struct recordings recordings;
	struct judgement judgement;
	int status = STATUS_FAILED;

	recordings_init(&recordings, "check", &options->tasks, analysis_find("costs"));
	if (budget_measures(budget, MEASURE_TAIL))
		recordings_ask(&recordings, analysis_find("tail"));
	recordings.kept = (struct kept_file){options->budget, "the budget"};
	judgement_init(&judgement, budget);
	if (recordings_read(&recordings, paths, count, run_take, &judgement)) {
		judgement_decide(&judgement);
		status = recordings_show(&recordings, &options->shown, 0, check_put, &judgement);
		if (options->junit && !junit_write(options, &judgement, &recordings))
			status = STATUS_FAILED;
		if (status == STATUS_FINE)
			status = status_of(&judgement);
	}
	judgement_release(&judgement);
	recordings_release(&recordings);
	return status;
}

static int check_run(const struct check_options *options, const struct operands *operands)
{
	struct budget budget = {0};
	int status;

	if (!shown_format_is_known("check", options->shown.format, format_at))
		return STATUS_USAGE;
	if (!options->budget || operands->count == 0)
		return message_fail(STATUS_USAGE, "check: name the recordings and their budget: "
		                    "ftwait check FILE... --budget FILE");
	status = budget_read(options->budget, &budget);
	if (status == STATUS_FINE)
		status = check_files(options, &budget, operands->argv, operands->count);
	budget_release(&budget);
	return status;
}

int check_command(int argc, char **argv)
{
	struct check_options options = {.shown = SHOWN_OPTIONS_DEFAULT};
	struct operands operands;
	int status = options_read(&check_option_set, argc, argv, &options, &operands);

	if (status != OPTIONS_GO_ON)
		return status;
	memory_end_say("check", "judge fewer tasks (--comm), or shorter recordings");
	(void)signal(SIGXFSZ, SIG_IGN);
	status = check_run(&options, &operands);
	options_release(&check_option_set, &options);
	return status;
}
