/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_export.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
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

/* Callbacks while the recording is read. */
struct export_watch {
	const struct report_output *output;
	bool (*on_progress)(void *state, uint64_t events); /* NULL: no progress */
	void *progress_state;
};

/* Once the output has failed, reading stops. */
static bool export_goes_on(void *state, uint64_t events)
{
	const struct export_watch *watch = state;

	return !watch->output->error &&
	       (!watch->on_progress || watch->on_progress(watch->progress_state, events));
}

/* -1: it cannot be compressed, which is printed; failed writes are reported when the output is
   closed. */
static int export_read(struct report_run *run, struct report_output *output, bool is_packed)
{
	FILE *packed = is_packed ? gzip_file_open(output->to) : NULL;
	struct export_watch watch = {output, run->on_progress, run->progress_state};

	if (is_packed && !packed) {
		message_error("report: cannot pack what goes to %s: %s",
		              output->path ? output->path : "standard output", strerror(errno));
		return -1;
	}
	run->exporting.to = packed ? packed : output->to;
	run->on_progress = export_goes_on;
	run->progress_state = &watch;
	report_run_read(run);
	run->on_progress = NULL;
	run->on_phase = NULL;
	if (packed)
		(void)fclose(packed);
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
	if (output->error) { /* not all was read */
		(void)report_output_close(output);
		return STATUS_FAILED;
	}
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
	return report_status(run, options, path);
}
