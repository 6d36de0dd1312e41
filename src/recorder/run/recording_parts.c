/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_parts.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text/message.h"
#include "base/thread.h"
#include "base/xalloc.h"
#include "recorder/drain/draining.h"
#include "recorder/file/datfile_head.h"
#include "recorder/instance/instance_folder.h"
#include "recorder/instance/stack_events.h"
#include "recorder/machine/process_search.h"

#define WHY_BYTES 4096

bool recording_has_tasks(const struct recording *recording)
{
	return recording->command || recording->options->pids.count > 0;
}

/* Whether system calls are to have an instance of their own: they are frequent, and the calls of
   other tasks seldom matter. */
static bool parts_want_calls(const struct recording *recording)
{
	return recording_has_tasks(recording) &&
	       event_selection_has(&recording->selection, CAPTURE_CALLS_PATTERN);
}

static bool part_is_possible(const struct recording *recording, unsigned buffer)
{
	return !recording->options->instance || recording->part[buffer].prepared;
}

static bool parts_want_stacks(const struct recording *recording)
{
	const struct record_options *options = recording->options;

	return options->stack_kinds & CAPTURE_STACKS_USER || options->profile.is_given;
}

/* Takes the instance NAME.SUFFIX if root prepared it, too; else prints what its absence means. */
static int part_take(struct recording *recording, unsigned buffer, const char *suffix,
                     const char *otherwise, struct buffer *note, struct buffer *why)
{
	_cleanup_(freep) char *dir = xasprintf("%s%s", recording->tracefs, suffix);

	if (prepared_instance_is_usable(dir))
		return prepared_instance_take(dir, &recording->part[buffer].prepared, note, why);
	message_note("no instance %s is prepared: %s", strrchr(dir, '/') + 1, otherwise);
	return 0;
}

int recording_parts_take(struct recording *recording, struct buffer *why)
{
	_cleanup_(buffer_release) struct buffer note = buffer_of(WHY_BYTES);
	int r;

	r = prepared_instance_take(recording->tracefs, &recording->part[0].prepared, &note, why);
	if (r == 0 && parts_want_calls(recording))
		r = part_take(recording, STREAM_BUFFER_CALLS, INSTANCE_CALLS_SUFFIX,
		              "the system calls of all tasks are recorded", &note, why);
	if (r == 0 && parts_want_stacks(recording))
		r = part_take(recording, STREAM_BUFFER_STACKS, INSTANCE_STACKS_SUFFIX,
		              "no stacks of programs, and no profile", &note, why);
	if (note.length > 0)
		message_note("%s", note.text);
	return r;
}

static int part_set_tasks(struct recording *recording, struct capture_session *session)
{
	const struct number_list *pids = &recording->options->pids;
	int32_t command = (int32_t)recording->child.pid;
	_cleanup_(freep) int32_t *family = NULL;
	size_t count = processes_find_family(pids->number, pids->count, &family);
	int r = capture_session_set_tasks(session, family, count);

	if (r == 0 && command > 0)
		r = capture_session_set_tasks(session, &command, 1);
	return r;
}

static int part_open(struct recording *recording, unsigned buffer, enum capture_part part,
                     struct buffer *why)
{
	const struct record_options *options = recording->options;
	bool is_main = buffer == 0;
	const struct capture_options settings = {
		.prepared = recording->part[buffer].prepared,
		.clock = recording->clock,
		/* others are as large as the main one, which was allowed */
		.buffer_bytes = is_main ? options->buffer_bytes
		                        : recording_session(recording)->buffer_bytes,
		.is_forced = !is_main || options->is_forced,
		.part = part,
		.stacks = options->stack_kinds,
		.has_profile = !is_main && options->profile.is_given,
	};

	return capture_open(recording->tracefs, &settings, &recording->selection,
	                    &recording->part[buffer].session, why);
}

static int parts_open_calls(struct recording *recording, struct buffer *why)
{
	int r = part_open(recording, STREAM_BUFFER_CALLS, CAPTURE_CALLS, why);

	if (r == 0)
		r = part_set_tasks(recording, recording->part[STREAM_BUFFER_CALLS].session);
	if (r < 0 && why->length == 0)
		buffer_printf(why, "cannot record the system calls of some tasks alone "
		                   "(" CAPTURE_TASK_FILES ": %s); leave out COMMAND "
		                   "and -p to record those of all", strerror(-r));
	return r;
}

static void part_print_notes(const struct capture_session *session)
{
	for (size_t i = 0; session && i < session->note_count; i++)
		message_note("%s", session->notes[i]);
}

/* Prints the rate of the profile, as the kernel decides it, whatever is asked for. */
static void profile_print_rate(uint64_t asked)
{
	uint32_t hz = stack_tick_hz();

	if (asked == hz)
		return;
	if (hz == 0)
		message_note("profiling at each tick of the kernel's clock");
	else
		message_note("profiling at each tick of the kernel's clock, %u times a second%s",
		             hz, asked ? ": no other rate is possible" : "");
}

/* Opens the instance for user stacks, of all tasks unless some were asked for; kernel threads have
   no user stacks. Stacks that cannot be recorded are reported, which is no failure. */
static int parts_open_stacks(struct recording *recording, struct buffer *why)
{
	struct capture_session **session = &recording->part[STREAM_BUFFER_STACKS].session;
	int r = part_open(recording, STREAM_BUFFER_STACKS, CAPTURE_STACKS, why);

	if (r < 0)
		return r;
	if (recording_has_tasks(recording))
		r = part_set_tasks(recording, *session);
	if (r < 0)
		capture_session_note(*session, "stacks of programs and ticks are recorded of all "
		                     "tasks (" CAPTURE_TASK_FILES ": %s)", strerror(-r));
	if (!(*session)->stacks && !(*session)->has_profile) {
		part_print_notes(*session);
		*session = capture_session_close(*session);
		return 0;
	}
	if ((*session)->has_profile)
		profile_print_rate(recording->options->profile_hz);
	/* the main instance is open already: this only adds the formats to the file */
	return (*session)->has_profile ? event_selection_add(&recording->selection,
	                                                     STACK_TICK_EVENT, why) : 0;
}

static int parts_open_all(struct recording *recording, struct buffer *why)
{
	bool has_calls =
		parts_want_calls(recording) && part_is_possible(recording, STREAM_BUFFER_CALLS);
	int r = part_open(recording, 0, has_calls ? CAPTURE_ALL_BUT_CALLS : CAPTURE_ALL, why);

	if (r == 0 && has_calls)
		r = parts_open_calls(recording, why);
	if (r == 0 && parts_want_stacks(recording) &&
	    part_is_possible(recording, STREAM_BUFFER_STACKS))
		r = parts_open_stacks(recording, why);
	return r;
}

struct parts_opening {
	struct recording *recording;
	struct buffer *why;
};

/* Has a raised priority: most of this work is waiting, and the rest should not have to wait for a
   CPU, too. */
static int parts_opening_run(void *state)
{
	const struct parts_opening *opening = state;
	struct drain_priority priority;
	int r;

	drain_priority_begin(&priority);
	r = parts_open_all(opening->recording, opening->why);
	drain_priority_end(&priority);
	return r;
}

static int formats_read(struct recording *recording, struct buffer *why)
{
	return datfile_head_read_formats(recording->tracefs, &recording->selection,
	                                 &recording->formats, why);
}

/* A profile extends the selection when it is known that a profile is available. */
int recording_parts_open(struct recording *recording, struct buffer *why)
{
	struct parts_opening opening = {recording, why};
	struct side_call kernel;
	_cleanup_(buffer_release) struct buffer formats_why = buffer_of(WHY_BYTES);
	int r, formats = 0;

	if (recording->options->profile.is_given) {
		r = parts_open_all(recording, why);
		return r < 0 ? r : formats_read(recording, why);
	}
	side_call_begin(&kernel, parts_opening_run, &opening);
	formats = formats_read(recording, &formats_why);
	r = side_call_end(&kernel);
	if (r == 0 && formats < 0) {
		buffer_puts(why, formats_why.text);
		r = formats;
	}
	return r;
}

int recording_parts_read(struct recording *recording, struct buffer *why)
{
	int r = ring_reader_open(recording_session(recording), &recording->reader, why);

	for (unsigned i = 1; r == 0 && i < STREAM_BUFFERS; i++)
		if (recording->part[i].session)
			r = ring_reader_add(recording->reader, recording->part[i].session, i, why);
	return r;
}

void recording_parts_print_notes(const struct recording *recording)
{
	for (size_t i = 0; i < STREAM_BUFFERS; i++)
		part_print_notes(recording->part[i].session);
}

void recording_parts_watch(struct recording *recording)
{
	for (size_t i = 0; i < STREAM_BUFFERS; i++)
		if (recording->part[i].session)
			capture_watch_init(&recording->part[i].watch, recording->part[i].session);
}

int recording_parts_begin(struct recording *recording)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < STREAM_BUFFERS; i++)
		if (recording->part[i].session)
			r = capture_session_begin(recording->part[i].session);
	for (size_t i = 0; i < STREAM_BUFFERS; i++)
		if (recording->part[i].session)
			capture_watch_begin(&recording->part[i].watch);
	if (r < 0)
		message_error("cannot switch tracing on (%s/tracing_on): %s%s",
		              recording_session(recording)->dir, strerror(-r),
		              r == -EMFILE ? "; raise the limit: ulimit -n" : "");
	return r;
}

int recording_parts_end(void *state)
{
	struct recording *recording = state;
	int result = 0;

	for (size_t i = STREAM_BUFFERS; i-- > 0;) {
		struct capture_session *session = recording->part[i].session;
		int r = session ? capture_session_end(session) : 0;

		if (result == 0)
			result = r;
	}
	return result;
}

void recording_parts_poll(struct recording *recording,
                          void (*on_change)(void *state, const char *text))
{
	for (size_t i = 0; i < STREAM_BUFFERS; i++)
		if (recording->part[i].session)
			capture_watch_poll(&recording->part[i].watch, on_change, recording);
}

static int parts_remove(void *state)
{
	struct recording *recording = state;

	for (size_t i = STREAM_BUFFERS; i-- > 0;)
		if (recording->part[i].session)
			capture_session_remove(recording->part[i].session);
	return 0;
}

void recording_parts_remove(struct recording *recording)
{
	side_call_begin(&recording->removal, parts_remove, recording);
}

/* Prints one line, however many instances are left. */
static void parts_print_left(const struct recording *recording)
{
	const struct capture_session *left = NULL;
	unsigned count = 0;

	for (size_t i = STREAM_BUFFERS; i-- > 0;) {
		const struct capture_session *session = recording->part[i].session;

		if (session && session->removal_error < 0) {
			left = session;
			count++;
		}
	}
	if (count == 0)
		return;
	message_warning("cannot remove the instance %s%s: %s; later: ftwait cleanup", left->dir,
	                count == 1 ? "" : " and its like",
	                left->removal_error == -EBUSY ? "a process has its files open"
	                                              : strerror(-left->removal_error));
}

void recording_parts_end_removal(struct recording *recording)
{
	(void)side_call_end(&recording->removal);
	(void)parts_remove(recording);
}

void recording_parts_close(struct recording *recording)
{
	recording_parts_end_removal(recording);
	parts_print_left(recording);
	for (size_t i = STREAM_BUFFERS; i-- > 0;) {
		recording->part[i].session = capture_session_close(recording->part[i].session);
		recording->part[i].prepared = prepared_instance_free(recording->part[i].prepared);
	}
}
