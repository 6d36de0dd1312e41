/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/message.h"
#include "base/parse.h"
#include "commands.h"
#include "compare/diff_report.h"
#include "engine/report_run.h"
#include "memory_end.h"
#include "pager.h"
#include "report_output.h"
#include "source/source.h"

#define LEAST_DEFAULT "1%"

struct diff_options {
	unsigned by; /* enum diff_by */
	const char *least, *fail_over; /* as given; NULL: not given */
	double least_part, fail_part;  /* parsed; fail_part 0: never */
	struct number_list pids;
	struct string_list comms, cgroups;
	bool is_all;
	const char *format, *output;
	uint64_t top;
	bool no_pager, is_verbose;
};

static const char *by_at(size_t index)
{
	static const char *const words[] = {
		[DIFF_BY_CAUSE] = "cause",
		[DIFF_BY_TASK] = "task",
		[DIFF_BY_RESOURCE] = "resource",
	};

	return index < ARRAY_SIZE(words) ? words[index] : NULL;
}

static const char *format_at(size_t index)
{
	static const char *const formats[] = {"text", "json", "csv"};

	return index < ARRAY_SIZE(formats) ? formats[index] : NULL;
}

static const struct option_row rows[] = {
	OPT_HEADING("What is compared"),
	OPT_CHOICE(0, "by", struct diff_options, by, by_at, "WHAT",
	           "cause: what the time went to, and whose it was (the default); task; resource"),
	OPT_STRING(0, "least", struct diff_options, least, "PERCENT",
	           "sum up costs that are a smaller part of the time (default " LEAST_DEFAULT ")",
	           .values = VALUES_NONE),
	OPT_PIDS('p', "pid", struct diff_options, pids, "PID,...", "these processes",
	         .values = VALUES_NONE),
	OPT_LIST(0, "comm", struct diff_options, comms, "GLOB,...", "tasks of that name",
	         .values = VALUES_NONE),
	OPT_LIST(0, "cgroup", struct diff_options, cgroups, "GLOB,...",
	         "tasks of these control groups", .values = VALUES_NONE),
	OPT_BOOL('a', "all", struct diff_options, is_all,
	         "all tasks, not only those that the recordings were made for"),
	OPT_STRING(0, "fail-over", struct diff_options, fail_over, "PERCENT",
	           "exit status 4 if the whole time has grown by more, and that is sure",
	           .values = VALUES_NONE),
	OPT_HEADING("Output"),
	OPT_STRING_OF(0, "format", struct diff_options, format, format_at, "FORMAT", NULL),
	OPT_CONSTANT(0, "json", struct diff_options, format, "json", "--format json"),
	OPT_COUNT(0, "top", struct diff_options, top, "N",
	          "at most N rows of a table in text (default 20, 0: all)"),
	OPT_STRING('o', "output", struct diff_options, output, "FILE", "write to FILE",
	           .values = VALUES_FILES),
	OPT_BOOL(0, "no-pager", struct diff_options, no_pager, OPTION_NO_PAGER_HELP),
	OPT_BOOL('v', "verbose", struct diff_options, is_verbose, "show the health in full"),
};

const struct option_set diff_option_set = {
	.command = "diff",
	.operands = "OLD... -- NEW...",
	.operand_values = VALUES_RECORDINGS,
	.about = "Says what changed between recordings: one against one, or many runs against "
	         "many, which shows what is sure. Two files need no \"--\".",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* Prints an error and returns false if it is no percentage. */
static bool part_parse(const char *option, const char *text, double *ret)
{
	if (parse_percent(text, ret) == 0)
		return true;
	message_error("diff: --%s %s: not a percentage, like 5%%", option, text);
	return false;
}

static bool options_are_right(struct diff_options *options)
{
	size_t format = 0;

	while (format_at(format) && strcmp(format_at(format), options->format) != 0)
		format++;
	if (!format_at(format)) {
		message_error("diff: --format %s: no such value; use one of text, json, csv",
		              options->format);
		return false;
	}
	return part_parse("least", options->least ? options->least : LEAST_DEFAULT,
	                  &options->least_part) &&
	       (!options->fail_over ||
	        part_parse("fail-over", options->fail_over, &options->fail_part));
}

static struct asked asked_of(const struct diff_options *options)
{
	struct asked asked = ASKED_EVERYTHING;

	asked.pids = options->pids.number;
	asked.pid_count = options->pids.count;
	asked.comms = (const char *const *)options->comms.text;
	asked.comm_count = options->comms.count;
	asked.cgroups = (const char *const *)options->cgroups.text;
	asked.cgroup_count = options->cgroups.count;
	asked.is_all = options->is_all;
	return asked;
}

/* What all recordings have in common, for the head and the health of the report. */
struct diff_head {
	const char **files; /* borrowed texts */
	size_t file_count;
	struct health health; /* sums */
};

/* Reads a recording and takes its account; prints why it cannot. */
static bool take_file(struct cost_diff *diff, struct diff_side *side, struct diff_head *head,
                      const struct diff_options *options, const char *path)
{
	const struct asked asked = asked_of(options);
	_cleanup_(source_closep) struct source *source = NULL;
	_cleanup_(buffer_release) struct buffer why = {0};
	struct report_run run;

	buffer_init(&why, 1024);
	if (source_open(path, &source, &why) < 0) {
		message_error("diff: %s: %s", path, why.text);
		return false;
	}
	report_run_init(&run, source, &asked);
	report_run_ask(&run, analysis_find("costs"));
	report_run_read(&run);
	ARRAY_GROW(side->run, side->count, side->capacity);
	side->run[side->count] = (struct run_account){.path = path};
	run_account_take(&side->run[side->count++], &diff->names, run.view[0].own, source,
	                 &run.health, run.timeline.end - run.timeline.begin);
	health_add(&head->health, &run.health);
	head->files[head->file_count++] = path;
	report_run_release(&run);
	return true;
}

static bool take_files(struct cost_diff *diff, struct diff_side *side, struct diff_head *head,
                       const struct diff_options *options, char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!take_file(diff, side, head, options, paths[i]))
			return false;
	return true;
}

/* One empty recording against others would make everything new. */
static bool sides_have_time(const struct cost_diff *diff)
{
	const struct diff_side *sides[] = {&diff->old, &diff->new};

	for (size_t side = 0; side < ARRAY_SIZE(sides); side++) {
		bool has_time = false;

		for (size_t i = 0; i < sides[side]->count; i++)
			has_time |= sides[side]->run[i].wall > 0;
		if (has_time)
			continue;
		message_error("diff: %s: nothing in it is of the tasks that are asked for; --all "
		              "compares all tasks", sides[side]->run[0].path);
		return false;
	}
	return true;
}

static int diff_show(const struct cost_diff *diff, struct diff_head *head,
                     const struct diff_options *options)
{
	const struct presenter *presenter = presenter_find(options->format);
	const struct trace_summary trace = {
		.files = head->files,
		.file_count = head->file_count,
		.old_count = diff->old.count,
		.events = head->health.events,
	};
	struct presenter_options how = {
		.top = (unsigned)options->top,
		.views = 1,
		.is_verbose = options->is_verbose,
	};
	const struct report_target target = {"diff", options->output, head->files,
	                                     head->file_count};
	struct report_output output;
	struct output to = {.presenter = presenter};
	struct pager pager = {0};

	if (report_output_open(&target, &output) < 0)
		return STATUS_FAILED;
	if (report_output_begin(&output) < 0) {
		report_output_discard(&output);
		return STATUS_FAILED;
	}
	report_output_fit(&output, &how);
	if (!output.path && !options->no_pager)
		pager_begin(&pager);
	to.state = presenter->begin(output.to, &how, &trace);
	diff_report(diff, &to);
	presenter->end(to.state, &head->health);
	(void)fflush(output.to);
	pager_end(&pager);
	return report_output_close(&output) < 0 ? STATUS_FAILED : STATUS_FINE;
}

/* Whether the time has grown by more than --fail-over allows, for sure. */
static bool has_grown(const struct cost_diff *diff, const struct diff_options *options)
{
	const struct contrast *wall = &diff->wall;

	return options->fail_over && wall->is_tested && wall->p < DIFF_LEVEL &&
	       wall->change.shift > options->fail_part * wall->old;
}

static int diff_files(const struct diff_options *options, char *const *old, size_t old_count,
                      char *const *new, size_t new_count)
{
	struct diff_head head = {.files = xcalloc(old_count + new_count, sizeof(*head.files))};
	struct cost_diff diff;
	int status = STATUS_FAILED;

	cost_diff_init(&diff);
	diff.by = (enum diff_by)options->by;
	diff.least = options->least_part;
	if (take_files(&diff, &diff.old, &head, options, old, old_count) &&
	    take_files(&diff, &diff.new, &head, options, new, new_count) &&
	    sides_have_time(&diff)) {
		cost_diff_make(&diff);
		status = diff_show(&diff, &head, options);
		if (status == STATUS_FINE && has_grown(&diff, options))
			status = STATUS_CHANGED;
	}
	cost_diff_release(&diff);
	health_release(&head.health);
	free(head.files);
	return status;
}

/* The files of both sides; prints what is wrong with them. */
static int diff_operands(struct diff_options *options, const struct operands *old,
                         const struct operands *new, bool is_divided)
{
	char *const *files = old->argv;

	if (!options_are_right(options))
		return STATUS_USAGE;
	if (!analysis_find("costs")) {
		message_error("diff: this program was built without the view costs");
		return STATUS_FAILED;
	}
	if (!is_divided && old->count == 2)
		return diff_files(options, files, 1, files + 1, 1);
	if (is_divided && old->count > 0 && new->count > 0)
		return diff_files(options, files, old->count, new->argv, new->count);
	message_error("diff: name two recordings, ftwait diff OLD NEW, or several on both sides: "
	              "ftwait diff OLD... -- NEW...");
	return STATUS_USAGE;
}

int diff_command(int argc, char **argv)
{
	struct diff_options options = {.format = "text", .top = 20};
	struct operands old = {0}, new = {0};
	int divide = 1, status;

	while (divide < argc && strcmp(argv[divide], "--") != 0)
		divide++;
	status = options_read(&diff_option_set, divide, argv, &options, &old);
	/* the words behind "--" are files of the other side, and may be options, too */
	if (status == OPTIONS_GO_ON && divide < argc)
		status = options_read(&diff_option_set, argc - divide, argv + divide, &options,
		                      &new);
	if (status != OPTIONS_GO_ON)
		return status;
	(void)setlocale(LC_CTYPE, "");
	memory_end_say("diff", "compare fewer tasks (--comm), or shorter recordings");
	(void)signal(SIGXFSZ, SIG_IGN);
	status = diff_operands(&options, &old, &new, divide < argc);
	options_release(&diff_option_set, &options);
	return status;
}
