/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "recording_looks.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/monotonic.h"
#include "base/text/format.h"
#include "base/text/message.h"
#include "recorder/drain/draining.h"
#include "recorder/instance/stack_events.h"
#include "recording_parts.h"

#define LINES_BYTES_MAX (2u * PROGRAM_BYTES_MAX + DESCRIPTOR_BYTES_MAX)

/* Called in the recorder's thread. Its error is ignored, as the next write fails again. */
static void programs_put(void *state, const struct buffer *lines)
{
	_cleanup_(buffer_release) struct buffer version = version_of(LINES_BYTES_MAX);

	buffer_append(&version, lines->text, lines->length);
	(void)recording_take_version(state, &version);
}

/* Whether to note which files descriptors are. What is kept of a ring need not show that a
   descriptor was closed. */
static bool recording_notes_descriptors(const struct recording *recording)
{
	return event_selection_has(&recording->selection, CAPTURE_CALLS_PATTERN) &&
	       recording_clock_is_monotonic(recording) && !recording->options->is_ring;
}

void recording_programs_begin(struct recording *recording)
{
	const struct record_options *options = recording->options;
	bool has_descriptors = recording_notes_descriptors(recording);
	const struct program_setup setup = {
		.process = recording->family.number,
		.process_count = recording->family.count,
		.child = recording->child.pid,
		.is_timed = recording_clock_is_monotonic(recording),
		.has_programs = !options->no_arguments,
		.tracefs = has_descriptors ? recording->tracefs : NULL,
		.put = programs_put,
		.state = recording,
	};
	int r;

	if (!recording_has_tasks(recording) || options->no_snapshot ||
	    (options->no_arguments && !has_descriptors))
		return;
	r = program_recorder_begin(&recording->programs, &setup);
	if (r < 0)
		recording_note(recording, "no command lines of programs, and no names of the files "
		                          "that they open: no thread can be made (%s)",
		               strerror(-r));
}

static void descriptors_print(struct recording *recording, const struct program_counts *counts)
{
	const struct descriptor_counts *descriptors = &counts->descriptors;

	if (descriptors->left_out > 0)
		recording_note(recording, "too many opened files: the names of %s are not in the "
		                          "file", COUNT_TEXT(descriptors->left_out));
	if (!recording->options->is_verbose)
		return;
	if (counts->open_error < 0 && recording_notes_descriptors(recording))
		message_note("no names of files that were opened meanwhile (perf_event_open: %s)",
		             strerror(-counts->open_error));
	if (descriptors->unsure > 0)
		message_note("no names of files of %s of the processes of -p: other processes may "
		             "share their descriptors, or some of their threads may not",
		             COUNT_TEXT(descriptors->unsure));
	if (descriptors->opens > 0)
		message_note("names of %s of %s files and connections that were opened meanwhile; "
		             "the others were closed too soon",
		             COUNT_TEXT(descriptors->opens - descriptors->gone),
		             COUNT_TEXT(descriptors->opens));
}

void recording_programs_end(struct recording *recording)
{
	struct program_counts counts;
	bool has_begun = recording->programs != NULL;

	recording->programs = program_recorder_end(recording->programs, &counts);
	if (counts.left_out > 0)
		recording_note(recording, "too many programs: the command lines of %s are not in "
		                          "the file", COUNT_TEXT(counts.left_out));
	if (counts.is_stuck)
		recording_note(recording, "/proc did not answer about the command line or the "
		                          "files of a program: later ones are not in the file");
	if (has_begun)
		descriptors_print(recording, &counts);
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
	return thread_cpu_time() + peek_time(&recording->peek);
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

	open_files_look(&recording->files, time, &version);
	/* its error is ignored, as the next write fails again */
	(void)recording_take_version(recording, &version);
}

/* Before the first look. */
static void recording_files_begin(struct recording *recording)
{
	recording->files.root = recording->waits.root;
	recording->files.root_count = recording->waits.root_count;
	recording->files.has_mapped = event_selection_has(&recording->selection, "filemap:*");
	recording->files_beat.pause = PAUSE_FIRST_NS;
	recording->files_beat.at = recording->begin + PAUSE_FIRST_NS;
}

#define WAITS_BYTES_MAX (4u << 20)
/* The most time for a look at files: at the begin and at the end, and in between. */
#define FILES_WHOLE_NS  50000000u
#define FILES_NS        5000000u

static bool recording_looks(const struct recording *recording)
{
	return recording->waits.root_count > 0;
}

static void waits_look(struct recording *recording)
{
	_cleanup_(buffer_release) struct buffer version = version_of(WAITS_BYTES_MAX);

	open_waits_look(&recording->waits, recording->look.is_last, &version);
	/* its error is ignored, as the next write fails again */
	(void)recording_take_version(recording, &version);
}

static int look(void *state)
{
	struct recording *recording = state;

	if (recording->look.has_waits)
		waits_look(recording);
	recording_files_look(recording, recording->look.files_time);
	return 0;
}

/* Leaves out a look if the one before has not ended yet. */
static void looks_begin(struct recording *recording, struct look_plan plan)
{
	if (side_call_is_busy(&recording->looks_call))
		return;
	(void)side_call_end(&recording->looks_call);
	recording->look = plan;
	side_call_begin(&recording->looks_call, look, recording);
}

void recording_files_tick(struct recording *recording, nsec_t time)
{
	struct beat *beat = &recording->files_beat;

	if (time < beat->at)
		return;
	beat->pause *= 2;
	beat->at = beat->pause > PAUSE_LAST_NS ? NSEC_NEVER : time + beat->pause;
	looks_begin(recording, (struct look_plan){.files_time = EARLY_LOOK_NS});
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
	looks_begin(recording, (struct look_plan){true, false, FILES_WHOLE_NS});
}

void recording_waits_tick(struct recording *recording)
{
	if (recording_looks(recording))
		looks_begin(recording, (struct look_plan){true, false, FILES_NS});
}

void recording_waits_end(struct recording *recording)
{
	uint64_t left_out, unanswered;

	(void)side_call_end(&recording->looks_call);
	if (!recording_looks(recording))
		return;
	recording->look = (struct look_plan){true, true, FILES_WHOLE_NS};
	if (recording->options->is_ring)
		(void)look(recording);
	else
		(void)drain_while(recording->reader, recording->queue, look, recording);
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

/* Whether to note, without stacks, where the programs of the asked tasks are: futexes are to be
   named. */
static bool recording_names_futexes(const struct recording *recording)
{
	return recording_has_tasks(recording) && !recording->options->no_snapshot &&
	       event_selection_has(&recording->selection, "*syscalls:*");
}

void recording_maps_begin(struct recording *recording)
{
	const struct number_list *pids = &recording->family;
	bool has_stacks = recording->part[STREAM_BUFFER_STACKS].session != NULL;
	int r;

	if (!has_stacks && !recording_names_futexes(recording))
		return;
	r = map_recorder_begin(&recording->maps, has_stacks);
	if (r < 0) {
		recording_note(recording, "addresses of programs will have no names: no thread "
		                          "can be made (%s)", strerror(-r));
		return;
	}
	if (map_recorder_error(recording->maps) < 0 && has_stacks)
		message_note("programs that live for some milliseconds may have no names in "
		             "stacks (perf_event_open: %s)",
		             strerror(-map_recorder_error(recording->maps)));
	for (size_t i = 0; i < pids->count; i++)
		map_recorder_ask(recording->maps, pids->number[i]);
	if (recording->child.pid > 0)
		map_recorder_ask_child(recording->maps, recording->child.pid);
	recording->census.listener = (struct census_listener){
		.on_futex = map_recorder_futex,
		.state = recording->maps,
	};
	recording->waits.on_futex = map_recorder_futex;
	recording->waits.state = recording->maps;
	if (!has_stacks)
		return;
	/* forked tasks begin with the mappings of their parents */
	if (!recording_has_tasks(recording))
		map_recorder_ask_all(recording->maps);
	recording->census.listener.on_user_stack = map_recorder_see;
	recording->census.listener.on_exec = map_recorder_exec;
}

/* Prints what is missing. That a kernel or architecture has no such stacks shows only if there are
   none. */
static void maps_print(struct recording *recording, const struct map_counts *counts)
{
	const struct capture_session *session = recording->part[STREAM_BUFFER_STACKS].session;

	if (recording->options->is_verbose && session)
		message_note("%s of %s stacks of programs lie in files that are known",
		             COUNT_TEXT(counts->named),
		             COUNT_TEXT(counts->stacks));
	if (counts->left_out > 0)
		recording_note(recording, "too many programs: %s mappings of theirs are not in the "
		                          "file", COUNT_TEXT(counts->left_out));
	if (counts->stacks == 0 && session && session->stacks & CAPTURE_STACKS_USER &&
	    recording->end - recording->begin > 1000000000)
		recording_note(recording, "no stack of a program was recorded: none has slept, or "
		                          "this kernel takes none on this machine");
}

void recording_maps_describe(struct recording *recording, struct buffer *to)
{
	const struct capture_session *session = recording->part[STREAM_BUFFER_STACKS].session;
	struct map_counts counts;

	if (session && session->has_profile)
		buffer_printf(to, "tick %u\n", stack_tick_hz());
	if (!recording->maps)
		return;
	counts = map_recorder_count(recording->maps);
	maps_print(recording, &counts);
	map_recorder_describe(recording->maps, recording_clock_is_monotonic(recording), to);
}
