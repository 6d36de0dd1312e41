/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data/array.h"
#include "base/text/buffer.h"
#include "base/cleanup.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "commands.h"
#include "compare/check_report.h"
#include "junit_file.h"
#include "memory_end.h"
#include "cmd/report/recordings.h"
#include "cmd/report/report_output.h"

struct check_options {
	const char *budget, *junit;
	struct asked_options tasks;
	struct shown_options shown;
};

static const struct option_row rows[] = {
	OPT_HEADING("What is judged"),
	OPT_STRING(0, "budget", struct check_options, budget, "FILE",
	           "the rules, a line each, like \"count disk of worker < 100\"; see "
	           "ftwait-check(1)",
	           .values = VALUES_FILES),
	ASKED_OPTION_ROWS(struct check_options, tasks),
	OPT_HEADING("Output"),
	OPT_STRING(0, "junit", struct check_options, junit, "FILE",
	           "also write the results as JUnit's XML", .values = VALUES_FILES),
	SHOWN_OPTION_ROWS(struct check_options, shown),
};

const struct option_set check_option_set = {
	.command = "check",
	.operands = "FILE...",
	.operand_values = VALUES_RECORDINGS,
	.about = "Says whether recordings keep a budget: exit status 0 if they do, 4 if a rule is "
	         "broken, 3 if the recordings are not fit to judge.",
	.rows = rows,
	.row_count = ARRAY_SIZE(rows),
};

/* Reads the file to its end; it may be a pipe. Returns the number of bytes, at most `size`, or
   -errno. */
static int64_t text_read(const char *path, char *to, size_t size)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t count = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	while (count < size) {
		n = read(fd, to + count, size - count);
		if (n == 0)
			break;
		if (n < 0 && errno != EINTR)
			return -errno;
		count += n > 0 ? (size_t)n : 0;
	}
	return (int64_t)count;
}

/* Reads the rules. Returns the exit status; errors are printed. */
static int budget_read(const char *path, struct budget *ret)
{
	_cleanup_(freep) char *text = xmalloc(BUDGET_BYTES_MAX + 1);
	_cleanup_(buffer_release) struct buffer why = {0};
	int64_t size = text_read(path, text, BUDGET_BYTES_MAX + 1);

	*ret = (struct budget){0};
	if (size < 0) {
		message_error("check: %s: %s", path, strerror((int)-size));
		return STATUS_FAILED;
	}
	if (size > BUDGET_BYTES_MAX) {
		message_error("check: %s: larger than 1 MiB, so this is no budget", path);
		return STATUS_USAGE;
	}
	buffer_init(&why, BUFFER_LIMIT_DEFAULT);
	if (budget_parse(ret, text, (size_t)size, &why) == 0)
		return STATUS_FINE;
	message_error("check: %s: %s", path, why.text);
	return STATUS_USAGE;
}

static bool run_take(void *state, const struct report_run *run, const char *path)
{
	judgement_take(state, &run->question, run->view[0].own, run->source, &run->health, path);
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

	if (!figures_format_is_known("check", options->shown.format))
		return STATUS_USAGE;
	if (!options->budget || operands->count == 0) {
		message_error("check: name the recordings and their budget: ftwait check FILE... "
		              "--budget FILE");
		return STATUS_USAGE;
	}
	if (!analysis_find("costs")) {
		message_error("check: this program was built without the view costs");
		return STATUS_FAILED;
	}
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
	(void)setlocale(LC_CTYPE, "");
	memory_end_say("check", "judge fewer tasks (--comm), or shorter recordings");
	(void)signal(SIGXFSZ, SIG_IGN);
	status = check_run(&options, &operands);
	options_release(&check_option_set, &options);
	return status;
}
