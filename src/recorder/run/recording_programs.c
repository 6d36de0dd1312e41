/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_programs.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "recording_blocks.h"
#include "recording_parts.h"

#define LINES_BYTES_MAX (2u * PROGRAM_BYTES_MAX)

/* Called in the recorder's thread. Its error is ignored, as the next write fails again. */
static void programs_put(void *state, const struct buffer *lines)
{
	_cleanup_(buffer_release) struct buffer version = {0};

	version_begin(&version, LINES_BYTES_MAX);
	buffer_append(&version, lines->text, lines->length);
	(void)recording_take_version(state, &version);
}

void recording_programs_begin(struct recording *recording)
{
	const struct record_options *options = recording->options;
	const struct program_setup setup = {
		.process = recording->family.number,
		.process_count = recording->family.count,
		.child = recording->child.pid,
		.is_timed = recording_clock_is_monotonic(recording),
		.put = programs_put,
		.state = recording,
	};
	int r;

	if (!recording_has_tasks(recording) || options->no_snapshot || options->no_arguments)
		return;
	r = program_recorder_begin(&recording->programs, &setup);
	if (r < 0)
		recording_note(recording, "no command lines of programs: no thread can be made "
		                          "(%s)", strerror(-r));
}

void recording_programs_end(struct recording *recording)
{
	struct program_counts counts;

	recording->programs = program_recorder_end(recording->programs, &counts);
	if (counts.left_out > 0)
		recording_note(recording, "too many programs: the command lines of %s are not in "
		                          "the file", COUNT_TEXT(counts.left_out));
	if (counts.is_stuck)
		recording_note(recording, "/proc did not answer about the command line of a "
		                          "program: later ones are not in the file");
	if (!recording->options->is_verbose)
		return;
	if (counts.error < 0)
		message_note("no command lines of programs that began meanwhile "
		             "(perf_event_open: %s)", strerror(-counts.error));
	if (counts.execs > 0)
		message_note("command lines of %s of %s programs that began meanwhile",
		             COUNT_TEXT(counts.execs - counts.missed - counts.left_out),
		             COUNT_TEXT(counts.execs));
}
