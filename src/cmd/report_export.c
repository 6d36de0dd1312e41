/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_export.h"

#include <errno.h>
#include <string.h>

#include "base/message.h"
#include "commands.h"
#include "export/gzip_file.h"
#include "report_answers.h"
#include "report_progress.h"

static bool path_is_packed(const char *path)
{
	size_t length = path ? strlen(path) : 0;

	return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

/* -1: not all of it could be written, which is told where the file is closed. */
static int export_read(struct report_run *run, struct report_output *output, bool is_packed)
{
	const char *to = output->path ? output->path : "standard output";
	FILE *packed = is_packed ? gzip_file_open(output->file) : NULL;

	if (is_packed && !packed) {
		message_error("report: cannot pack what goes to %s: %s", to, strerror(errno));
		return -1;
	}
	run->exporting.to = packed ? packed : output->file;
	report_run_read(run);
	if (packed && fclose(packed) != 0) {
		message_error("report: cannot write to %s: %s", to, strerror(errno));
		return -1;
	}
	return 0;
}

int report_export(struct report_run *run, const struct report_options *options,
                  struct report_output *output, const char *path)
{
	bool is_reversed;
	int r;

	if (report_output_is_terminal(output, options->format) ||
	    report_output_begin(output) < 0) {
		report_output_discard(output);
		return STATUS_FAILED;
	}
	report_progress_watch(run);
	r = export_read(run, output, options->is_packed || path_is_packed(output->path));
	report_progress_end();
	is_reversed = report_window_is_reversed(run, options);
	if (is_reversed || r < 0 || !report_has_answers(run, path)) {
		report_output_discard(output);
		return is_reversed ? STATUS_USAGE : STATUS_FAILED;
	}
	report_warn_window(run);
	report_warn_missing(run);
	report_warn_impaired(run, "--summary tells");
	if (report_output_close(output) < 0)
		return STATUS_FAILED;
	return options->is_strict && health_is_impaired(&run->health) ? STATUS_IMPAIRED
	                                                              : STATUS_FINE;
}
