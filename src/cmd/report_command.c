/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"
#include "commands.h"
#include "engine/report_run.h"
#include "memory_end.h"
#include "pager.h"
#include "report_answers.h"
#include "report_export.h"
#include "report_options.h"
#include "report_output.h"
#include "report_progress.h"
#include "source/source.h"
#include "terminal.h"

static bool color_is_wanted(const char *when, bool has_escapes)
{
	const char *no_color = getenv("NO_COLOR");

	if (strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	return has_escapes && !(no_color && *no_color);
}

static struct report_form form_choose(const struct report_options *options,
                                      const struct report_run *run,
                                      const struct report_output *output, const char *path)
{
	unsigned width = terminal_width(output->file);

	return (struct report_form){
		.out = output->to,
		.presenter = presenter_find(options->format),
		.options = {
			.color = color_is_wanted(options->color,
			                         terminal_has_escapes(output->file)),
			.utf8 = terminal_has_utf8(),
			.is_ascii = width > 0 && !terminal_has_utf8(),
			.width = width,
			.top = (unsigned)options->top,
			.views = (unsigned)run->view_count,
			.is_verbose = options->is_verbose,
		},
		.file = path,
	};
}

/* Reads the source and shows the views. */
static int report_make(struct report_run *run, const struct report_options *options,
                       struct report_output *output, const char *path)
{
	struct report_form form;
	struct pager pager = {0};
	bool is_reversed;

	if (presenter_find(options->format)->is_document &&
	    report_output_is_terminal(output, options->format)) {
		report_output_discard(output);
		return STATUS_FAILED;
	}
	report_progress_watch(run);
	report_run_read(run);
	is_reversed = report_window_is_reversed(run, options);
	if (is_reversed || !report_has_answers(run, path) || report_output_begin(output) < 0) {
		report_output_discard(output);
		return is_reversed ? STATUS_USAGE : STATUS_FAILED;
	}
	report_warn_window(run);
	report_warn_missing(run);
	form = form_choose(options, run, output, path);
	report_progress_end();
	if (!output->path && !options->no_pager)
		pager_begin(&pager);
	report_run_show(run, &form);
	(void)fflush(output->to); /* the output records an error of this */
	pager_end(&pager);
	if (!form.presenter->has_health)
		report_warn_impaired(run, "--format text or json tells");
	if (report_output_close(output) < 0)
		return STATUS_FAILED;
	return report_status(run, options, path);
}

static int report_source(struct source *source, const struct report_options *options,
                         const char *path)
{
	const struct asked asked = report_options_asked(options);
	struct report_run run;
	struct report_output output;
	int status = STATUS_USAGE;

	report_run_init(&run, source, &asked);
	if (report_options_ask(options, &run) == 0)
		status = report_output_open(options->output, path, &output) < 0
		                 ? STATUS_FAILED
		         : run.exporting.exporter ? report_export(&run, options, &output, path)
		                        : report_make(&run, options, &output, path);
	report_run_release(&run);
	return status;
}

static int report_file(const struct report_options *options, const char *path)
{
	_cleanup_(source_closep) struct source *source = NULL;
	_cleanup_(buffer_release) struct buffer why = {0};
	int status;

	buffer_init(&why, 1024);
	report_progress_begin(!options->is_quiet);
	if (report_options_open(options, path, &source, &why) < 0) {
		message_error("report: %s: %s", path, why.text);
		return STATUS_FAILED;
	}
	status = report_source(source, options, path);
	report_progress_end();
	return status;
}

static const char *input_choose(const struct report_options *options,
                                const struct operands *operands)
{
	if (options->input)
		return options->input;
	return operands->count ? operands->argv[0] : "ftwait.dat";
}

int report_command(int argc, char **argv)
{
	struct report_options options = REPORT_OPTIONS_DEFAULT;
	struct operands operands;
	int status;

	status = options_read(&report_option_set, argc, argv, &options, &operands);
	if (status != OPTIONS_GO_ON)
		return status;
	(void)setlocale(LC_CTYPE, "");
	memory_end_prepare("report", "ask for views that do not keep the whole trace, as "
	                             "--summary, --sched or --disk, or read it where there is more "
	                             "memory");
	/* exceeding a limit on file sizes must be a failed write, with a message */
	(void)signal(SIGXFSZ, SIG_IGN);
	status = STATUS_USAGE;
	if (operands.count + (options.input != NULL) > 1)
		message_error("report: %s: one file at a time",
		              operands.argv[options.input ? 0 : 1]);
	else if (report_options_check(&options) == 0)
		status = report_file(&options, input_choose(&options, &operands));
	options_release(&report_option_set, &options);
	return status;
}
