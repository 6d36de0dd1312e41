/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/text/message.h"
#include "base/xalloc.h"
#include "record_signals.h"
#include "recorder/file/datfile_writer.h"
#include "recording.h"

#define WHY_BYTES 4096

/* For a result of datfile_conclude(): whether another process wrote to the file. */
static bool is_spoilt(const struct recording *recording, int r)
{
	return r > 0 || r == -EINVAL || (r == 0 && recording->writer.is_cut);
}

static int convert_print_spoilt(const struct recording *recording, int r, const char *place)
{
	return message_fail(-EIO, "%s was cut or overwritten by somebody else while it was "
	                    "recorded into; %s%s", recording->output.path,
	                    r >= 0 ? "what is left is in " : "the recording is lost",
	                    r >= 0 ? place : "");
}

/* If the end of a recording takes long, the terminal shows how much of it is done. */
struct settle_progress {
	bool is_shown; /* standard error is a terminal, and --quiet is not given */
	bool has_text;
	nsec_t begin, shown; /* CLOCK_MONOTONIC */
};

#define QUIET_NS 300000000u /* nothing is shown if it takes less */
#define STEP_NS  100000000u

/* For datfile_settle(); `state` is a struct settle_progress. */
static void settle_progress_show(void *state, uint64_t done, uint64_t total)
{
	struct settle_progress *progress = state;
	nsec_t time = monotonic_now();

	if (!progress->is_shown || total == 0 || time - progress->begin < QUIET_NS ||
	    time - progress->shown < STEP_NS)
		return;
	progress->shown = time;
	progress->has_text = true;
	(void)fprintf(stderr, "\r[ ftwait: making a trace.dat, %u %% ] ",
	              (unsigned)((double)done * 100 / (double)total));
}

/* Returns as datfile_conclude(). */
static int convert_conclude(const struct recording *recording, const char *place,
                            struct buffer *why)
{
	struct settle_progress progress = {
		.is_shown = !recording->options->is_quiet && isatty(STDERR_FILENO),
		.begin = monotonic_now(),
	};
	const struct settle_options options = {
		.interrupts = record_signals_count(),
		.interrupt_limit = SIGNALS_FORCED_END,
		.on_progress = settle_progress_show,
		.state = &progress,
	};
	int r = datfile_conclude(recording->output.fd, place, &options, why);

	if (progress.has_text)
		(void)fputs("\r\033[K", stderr);
	return r;
}

/* Converts a file that has a name, which may have changed since the begin. */
static int convert_in_place(const struct recording *recording, const char *place)
{
	_cleanup_(buffer_release) struct buffer why = buffer_of(WHY_BYTES);
	int r, result = 0;

	if (strcmp(place, recording->output.path) != 0)
		message_warning("%s was moved while it was recorded into, to %s",
		                recording->output.path, place);
	r = convert_conclude(recording, place, &why);
	if (is_spoilt(recording, r)) {
		result = convert_print_spoilt(recording, r, place);
	} else if (r == -EUCLEAN) {
		message_error("%s", why.text);
		result = 1;
	} else if (r < 0) {
		message_error("%s; %s stays a stream, with all that was recorded: \"ftwait "
		              "report\" reads it, \"ftwait record --repair\" converts it, which "
		              "is to be done before it is copied",
		              why.text, place);
		result = 1;
	}
	return result;
}

/* A file with holes looks far larger than it is, and a copy may fill the disk. */
void recording_salvage(const struct recording *recording)
{
	_cleanup_(freep) char *place = NULL;
	_cleanup_(buffer_release) struct buffer why = buffer_of(WHY_BYTES);

	if (!recording->output.is_file || !recording->writer.layout)
		return;
	place = record_output_locate(&recording->output);
	if (!place)
		return;
	if (convert_conclude(recording, place, &why) < 0)
		message_note("%s; with its holes it looks far larger than it is: ftwait record "
		             "--repair %s before it is copied", why.text, place);
}

/* Converts a file that was removed: its content exists as long as it is open here. */
static int convert_anew(const struct recording *recording, char **ret_place)
{
	_cleanup_(freep) char *place = xstrdup(recording->output.path);
	_cleanup_(buffer_release) struct buffer why = buffer_of(WHY_BYTES);
	int r;

	r = datfile_restore(recording->output.fd, place, record_signals_count(), SIGNALS_FORCED_END,
	                    &why);
	if (r == -EEXIST) {
		free(place);
		place = xasprintf("%s.%d", recording->output.path, (int)getpid());
		buffer_clear(&why);
		r = datfile_restore(recording->output.fd, place, record_signals_count(),
		                    SIGNALS_FORCED_END, &why);
	}
	if (is_spoilt(recording, r))
		r = convert_print_spoilt(recording, r, place);
	else if (r < 0)
		message_error("%s was removed while it was recorded into, and cannot be created "
		              "again: %s; the recording is lost",
		              recording->output.path, why.text);
	else
		message_warning("%s was removed while it was recorded into; the recording was "
		                "written again, to %s",
		                recording->output.path, place);
	if (r == 0)
		*ret_place = TAKE_PTR(place);
	return r;
}

int recording_convert(struct recording *recording, char **ret_place)
{
	const char *path = recording->options->output;

	if (!recording->output.is_file) {
		*ret_place = xstrdup(path);
		return 0;
	}
	*ret_place = record_output_locate(&recording->output);
	if (!*ret_place)
		return convert_anew(recording, ret_place);
	return convert_in_place(recording, *ret_place);
}
