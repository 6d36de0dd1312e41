/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_files.h"

#include "base/cleanup.h"
#include "recorder/run/recording_blocks.h"

/* The interval between looks, which doubles, and when it ends to do so. */
#define PAUSE_FIRST_NS 10000000u
#define PAUSE_LAST_NS  320000000u
#define EARLY_LOOK_NS  5000000u

void recording_files_look(struct recording *recording, nsec_t time)
{
	_cleanup_(buffer_release) struct buffer version = {0};
	size_t before;

	version_begin(&version, 2 * OPEN_FILES_BYTES_MAX);
	before = version.length;
	open_files_look(&recording->files, time, &version);
	/* its error is ignored, as the next write fails again */
	if (version.length > before)
		(void)recording_take_version(recording, &version);
}

void recording_files_begin(struct recording *recording)
{
	const struct number_list *pids = &recording->options->pids;

	for (size_t i = 0; i < pids->count; i++)
		open_files_ask(&recording->files, pids->number[i]);
	if (recording->child.pid > 0)
		open_files_ask(&recording->files, recording->child.pid);
	recording->files.has_mapped = event_selection_has(&recording->selection, "filemap:*");
	recording->files_pause = PAUSE_FIRST_NS;
	recording->files_at = recording->begin + PAUSE_FIRST_NS;
}

static int look_early(void *state)
{
	recording_files_look(state, EARLY_LOOK_NS);
	return 0;
}

void recording_files_tick(struct recording *recording, nsec_t time)
{
	if (time < recording->files_at)
		return;
	recording->files_pause *= 2;
	recording->files_at = recording->files_pause > PAUSE_LAST_NS
	                              ? NSEC_NEVER
	                              : time + recording->files_pause;
	if (side_call_is_busy(&recording->looks_call))
		return;
	(void)side_call_end(&recording->looks_call);
	side_call_begin(&recording->looks_call, look_early, recording);
}
