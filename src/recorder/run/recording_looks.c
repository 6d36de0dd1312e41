/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_looks.h"

#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "recorder/drain/draining.h"
#include "recorder/machine/text_file.h"
#include "recording_blocks.h"
#include "recording_parts.h"

#define LINES_BYTES_MAX (2u * PROGRAM_BYTES_MAX)

/* Called in the recorder's thread. Its error is ignored, as the next write fails again. */
static void programs_put(void *state, const struct buffer *lines)
{
	_cleanup_(buffer_release) struct buffer version = version_of(LINES_BYTES_MAX);

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

#define LONG_PAUSE_NS     250000000u
#define LONG_PAUSE_MAX_NS 10000000000u
/* Looks at all tasks may take this part of the time of one CPU, and so much at once; those at the
   tasks that were asked for as much. */
#define LONG_SHARE        200u
#define LONG_BURST_NS     20000000u
#define LONG_BYTES_MAX    (1u << 20)

/* CPU time of the calling thread, and of the process that looks for it. */
static nsec_t look_time(struct recording *recording)
{
	struct timespec time;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) < 0)
		return 0;
	return (nsec_t)time.tv_sec * 1000000000u + (nsec_t)time.tv_nsec +
	       peek_time(&recording->peek);
}

static int long_look(void *state)
{
	struct recording *recording = state;
	struct long_looks *looks = &recording->long_looks;
	_cleanup_(buffer_release) struct buffer lines = buffer_of(LONG_BYTES_MAX);
	nsec_t first_round = looks->waits.ends.first_round;
	nsec_t begin = look_time(recording), end;

	long_waits_look(&looks->waits, &lines);
	/* another process may have taken the place of the first */
	end = look_time(recording);
	/* reading the open files of all processes for the first time comes once */
	begin += looks->waits.ends.first_round - first_round;
	*(looks->waits.is_brief ? &looks->brief_took : &looks->took) =
		end > begin ? end - begin : 0;
	/* its error is ignored, as the next write fails again */
	if (lines.length > 0)
		(void)page_queue_take_block(recording->queue, STREAM_WAITS, lines.text,
		                            lines.length);
	return 0;
}

void recording_long_waits_begin(struct recording *recording)
{
	struct long_looks *looks = &recording->long_looks;

	looks->at = NSEC_NEVER;
	if (recording->flush_beat.at == NSEC_NEVER || recording->options->no_snapshot)
		return;
	looks->at = looks->looked = recording->begin;
	looks->waits.root = recording->waits.root;
	looks->waits.root_count = recording->waits.root_count;
}

/* The pause after the look that begins now. */
static nsec_t pause_from(struct long_looks *looks, nsec_t time)
{
	nsec_t debt = looks->debt + looks->took;
	nsec_t paid = (time - looks->looked) / LONG_SHARE, pause = 0;

	debt = debt > paid ? debt - paid : 0;
	looks->debt = debt;
	looks->looked = time;
	if (debt > LONG_BURST_NS)
		pause = (debt - LONG_BURST_NS) * LONG_SHARE;
	return nsec_min(nsec_max(pause, LONG_PAUSE_NS), LONG_PAUSE_MAX_NS);
}

/* Decides what the look that begins now looks at, and when the next one comes. */
static void plan(struct long_looks *looks, nsec_t time)
{
	struct long_waits *waits = &looks->waits;

	waits->is_brief = time < looks->whole_at;
	if (!waits->is_brief)
		looks->whole_at = time + pause_from(looks, time);
	looks->at = looks->whole_at;
	if (waits->root_count > 0)
		looks->at = nsec_min(looks->at,
		                     time + nsec_max(LONG_PAUSE_NS,
		                                     looks->brief_took * LONG_SHARE));
}

void recording_long_waits_tick(struct recording *recording, nsec_t time)
{
	struct long_looks *looks = &recording->long_looks;

	if (time < looks->at)
		return;
	looks->at = time + LONG_PAUSE_NS;
	if (side_call_is_busy(&looks->call))
		return;
	(void)side_call_end(&looks->call);
	plan(looks, time);
	side_call_begin(&looks->call, long_look, recording);
}

void recording_long_waits_end(struct recording *recording)
{
	(void)side_call_end(&recording->long_looks.call);
	recording->long_looks.at = NSEC_NEVER;
}

/*
 * Looks at the files that COMMAND's processes and those of -p have open (open_files.h). COMMAND may
 * end soon, so looks follow each other quickly at first; from one second on they are made together
 * with those at waits (recording_waits_tick()), always in the thread of these.
 */

/* The interval between looks, which doubles, and when it ends to do so. */
#define PAUSE_FIRST_NS 10000000u
#define PAUSE_LAST_NS  320000000u
#define EARLY_LOOK_NS  5000000u

/* Looks, and writes what is new; `time`: the most that it may take, ns. */
static void recording_files_look(struct recording *recording, nsec_t time)
{
	_cleanup_(buffer_release) struct buffer version = version_of(2 * OPEN_FILES_BYTES_MAX);
	size_t before = version.length;

	open_files_look(&recording->files, time, &version);
	/* its error is ignored, as the next write fails again */
	if (version.length > before)
		(void)recording_take_version(recording, &version);
}

/* Before the first look. */
static void recording_files_begin(struct recording *recording)
{
	const struct number_list *pids = &recording->options->pids;

	for (size_t i = 0; i < pids->count; i++)
		open_files_ask(&recording->files, pids->number[i]);
	if (recording->child.pid > 0)
		open_files_ask(&recording->files, recording->child.pid);
	recording->files.has_mapped = event_selection_has(&recording->selection, "filemap:*");
	recording->files_beat.pause = PAUSE_FIRST_NS;
	recording->files_beat.at = recording->begin + PAUSE_FIRST_NS;
}

static int look_early(void *state)
{
	recording_files_look(state, EARLY_LOOK_NS);
	return 0;
}

void recording_files_tick(struct recording *recording, nsec_t time)
{
	struct beat *beat = &recording->files_beat;

	if (time < beat->at)
		return;
	beat->pause *= 2;
	beat->at = beat->pause > PAUSE_LAST_NS ? NSEC_NEVER : time + beat->pause;
	if (side_call_is_busy(&recording->looks_call))
		return;
	(void)side_call_end(&recording->looks_call);
	side_call_begin(&recording->looks_call, look_early, recording);
}

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
	_cleanup_(buffer_release) struct buffer version = version_of(WAITS_BYTES_MAX);
	size_t before = version.length;

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

	recording->files_beat.at = NSEC_NEVER;
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
