/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_waits.h"

#include "base/cleanup.h"
#include "base/text/format.h"
#include "recorder/drain/drain_while.h"
#include "recorder/run/recording_blocks.h"
#include "recording_files.h"

#define WAITS_BYTES_MAX (4u << 20)
/* The most time for a look at files: at the begin and at the end, and in between. */
#define FILES_WHOLE_NS  50000000u
#define FILES_NS        5000000u

static bool recording_looks(const struct recording *recording)
{
	return recording->waits.root_count > 0;
}

static void look(struct recording *recording, bool is_last)
{
	_cleanup_(buffer_release) struct buffer version = {0};
	size_t before;

	version_begin(&version, WAITS_BYTES_MAX);
	before = version.length;
	open_waits_look(&recording->waits, is_last, &version);
	/* its error is ignored, as the next write fails again */
	if (version.length > before)
		(void)recording_take_version(recording, &version);
}

static int look_first(void *state)
{
	look(state, /* is_last= */ false);
	recording_files_look(state, FILES_WHOLE_NS);
	return 0;
}

static int look_on(void *state)
{
	look(state, /* is_last= */ false);
	recording_files_look(state, FILES_NS);
	return 0;
}

static int look_last(void *state)
{
	look(state, /* is_last= */ true);
	recording_files_look(state, FILES_WHOLE_NS);
	return 0;
}

void recording_waits_begin(struct recording *recording)
{
	const struct number_list *pids = &recording->options->pids;

	recording->files_at = NSEC_NEVER;
	if (recording->options->no_snapshot)
		return;
	for (size_t i = 0; i < pids->count; i++)
		open_waits_ask(&recording->waits, pids->number[i]);
	if (recording->child.pid > 0)
		open_waits_ask(&recording->waits, recording->child.pid);
	if (!recording_looks(recording))
		return;
	recording_files_begin(recording);
	side_call_begin(&recording->looks_call, look_first, recording);
}

void recording_waits_tick(struct recording *recording)
{
	if (!recording_looks(recording) || side_call_is_busy(&recording->looks_call))
		return;
	(void)side_call_end(&recording->looks_call);
	side_call_begin(&recording->looks_call, look_on, recording);
}

void recording_waits_end(struct recording *recording)
{
	uint64_t left_out, unanswered;

	(void)side_call_end(&recording->looks_call);
	if (!recording_looks(recording))
		return;
	if (recording->options->is_ring)
		(void)look_last(recording);
	else
		(void)drain_while(recording->reader, recording->queue, look_last, recording);
	left_out = recording->waits.left_out;
	if (left_out > 0)
		recording_note(recording,
			       "there was no time to look at what %s task%s waited for when "
			       "recording ended",
			       COUNT_TEXT(left_out), format_plural(left_out));
	unanswered = recording->peek.unanswered;
	if (unanswered > 0)
		recording_note(recording,
		               "/proc did not answer %s time%s within half a second, as of "
		               "processes that a dead file system holds up in exec(): what they "
		               "wait for is not known",
		               COUNT_TEXT(unanswered), format_plural(unanswered));
}
