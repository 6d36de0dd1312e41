/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/recorded.h"
#include "base/array.h"
#include "base/buffer.h"
#include "base/cleanup.h"
#include "base/format.h"
#include "decode/event_decoder.h"
#include "decode/symbols.h"
#include "merge/merger.h"
#include "read_ahead.h"
#include "recording_notes.h"
#include "words/time_scale.h"
#include "words/trace_clock.h"

#define PROGRESS_EVENTS (1u << 18)

struct run {
	const struct pipeline *pipeline;
	struct decoder *decoder;
	struct symbols *symbols;
	struct merger *merger;
	struct read_ahead *ahead; /* NULL: there is no second thread */
	struct machine *machine;
	bool *has_switches; /* by stream: it had events of switches */
	uint64_t *counted;  /* by stream: number of lost events that marks in its pages report */
	bool has_any;
	nsec_t first, last; /* times of the first and last record, whether decoded or not */
	struct event_kinds seen;
};

/* Between run_pause() and run_resume() the source belongs to the first thread. */
static void run_pause(const struct run *run)
{
	if (run->ahead)
		read_ahead_pause(run->ahead);
}

static void run_resume(const struct run *run)
{
	if (run->ahead)
		read_ahead_resume(run->ahead);
}

/* The symbols, which the source provides only once. The second thread may be using the source, so
   it is paused. */
static struct symbols *run_symbols(struct run *run)
{
	if (symbols_are_read(run->symbols))
		return run->symbols;
	run_pause(run);
	symbols_read(run->symbols);
	run_resume(run);
	return run->symbols;
}

static const char *find_symbol(void *state, uint64_t address)
{
	return symbols_find(run_symbols(state), address);
}

static const char *find_symbol_within(void *state, uint64_t address)
{
	return symbols_find_within(run_symbols(state), address);
}

static const char *find_object(void *state, uint64_t address)
{
	return symbols_find_object(run_symbols(state), address);
}

static bool run_names_locks(const struct run *run)
{
	const struct pipeline *pipeline = run->pipeline;
	bool is_asked = false;

	for (size_t i = 0; i < pipeline->interval_sink_count; i++)
		is_asked |= pipeline->interval_sinks[i].kinds & INTERVAL_MASK(INTERVAL_LOCK);
	return is_asked && run->decoder->described.has[EVENT_LOCK_BEGIN];
}

static void run_open(struct run *run)
{
	const struct pipeline *pipeline = run->pipeline;
	struct machine_setup setup = {
		.source = pipeline->source,
		.symbol = find_symbol,
		.user_function = pipeline->users ? user_frames_name : NULL,
		.user_file = user_frames_name_file,
		.user_variable = pipeline->users ? user_frames_name_variable : NULL,
		.user_period = user_frames_period,
		.users = pipeline->users,
		.symbol_within = find_symbol_within,
		.object = find_object,
		.timeline = pipeline->timeline,
		.health = pipeline->health,
	};

	run->decoder = decoder_new(pipeline->source);
	run->symbols = symbols_new(pipeline->source);
	setup.symbols = run;
	machine_setup_expect(&setup, &run->decoder->described);
	setup.sinks = pipeline->sinks;
	setup.sink_count = pipeline->sink_count;
	setup.interval_sinks = pipeline->interval_sinks;
	setup.interval_sink_count = pipeline->interval_sink_count;
	setup.on_step = pipeline->on_step;
	setup.step_state = pipeline->step_state;
	if (run_names_locks(run))
		symbols_keep_objects(run->symbols);
	run->machine = machine_new(&setup);
	run->has_switches = xcalloc(pipeline->source->stream_count, sizeof(*run->has_switches));
	run->counted = xcalloc(pipeline->source->stream_count, sizeof(*run->counted));
	run->merger = merger_new(pipeline->source);
	if (pipeline->reads_ahead)
		run->ahead = read_ahead_new(run->merger, run->decoder);
}

static void run_close(struct run *run)
{
	merger_free(run->merger);
	machine_free(run->machine);
	symbols_free(run->symbols);
	decoder_free(run->decoder);
	free(run->has_switches);
	free(run->counted);
}

static void run_see_time(struct run *run, nsec_t time)
{
	if (!run->has_any) {
		run->has_any = true;
		run->first = time;
		run->last = time;
		machine_begin(run->machine, time);
	}
	run->last = nsec_max(run->last, time);
}

static bool run_is_of_stacks(const struct run *run, uint32_t stream)
{
	return source_stream_has_stacks(run->pipeline->source, stream);
}

/* Lost events of a buffer without the scheduler's events affect the contexts of CPUs, but not the
   states of tasks. */
static void run_lose(struct run *run, const struct merged_run *lost)
{
	nsec_t begin = lost->is_first ? run->has_any ? run->first : lost->lost_end
	                              : lost->lost_begin;
	struct health_gap gap = {
		.cpu = lost->cpu,
		.events = lost->lost_events,
		.begin = begin,
		.end = nsec_max(begin, lost->lost_end),
	};
	bool has_switches = run->has_switches[lost->stream] ||
	                    run->pipeline->source->buffer_count < 2;

	if (gap.events != LOST_UNCOUNTED)
		run->counted[lost->stream] += gap.events;
	health_gap_add(run->pipeline->health, &gap);
	run_see_time(run, begin);
	if (run_is_of_stacks(run, lost->stream))
		return;
	machine_gap(run->machine, lost->cpu, nsec_max(begin, run->last), gap.end, has_switches);
	if (run->pipeline->on_gap)
		run->pipeline->on_gap(run->pipeline->event_state, &gap);
}

static void run_make_room(struct run *run)
{
	const struct pipeline *pipeline = run->pipeline;

	machine_show_open(run->machine);
	pipeline->on_full(pipeline->full_state);
	machine_hide_open(run->machine);
	timeline_trim(pipeline->timeline);
}

/* Makes room in the timeline if it is full. Call after each run of the merger, and after each
   loss. */
static void run_keep_room(struct run *run)
{
	if (timeline_is_full(run->pipeline->timeline))
		run_make_room(run);
}

static inline void run_take(struct run *run, uint32_t stream, bool is_of_stacks,
                            const struct event *event)
{
	const struct pipeline *pipeline = run->pipeline;

	if (is_of_stacks) {
		/* samples accompany the events of the other buffers, and show nothing that those
		   already show */
		machine_sample(run->machine, event);
		return;
	}
	run->seen.has[event->kind] = true;
	if (event->kind == EVENT_SCHED_SWITCH)
		run->has_switches[stream] = true;
	machine_event(run->machine, event);
	if (pipeline->on_event)
		pipeline->on_event(pipeline->event_state, event);
}

/* All events of a trace go through this loop or the one of run_feed_batch(). So what is constant
   for a run is computed outside the loop, and the callees are inlined (flattened) in both. */
static __attribute__((flatten)) void run_feed(struct run *run, const struct merged_run *records)
{
	const bool is_of_stacks = run_is_of_stacks(run, records->stream);
	const struct record *const end = records->records + records->count;
	struct health *health = run->pipeline->health;
	struct event event;
	nsec_t last;

	run_see_time(run, records->records[0].time);
	last = run->last;
	health->events += records->count;
	for (const struct record *record = records->records; record < end; record++) {
		enum decode_result result =
			decoder_decode(run->decoder, record, records->cpu, &event);

		/* time may go back within a stream, too */
		last = nsec_max(last, record->time);
		if (result == DECODE_EVENT)
			run_take(run, records->stream, is_of_stacks, &event);
		else
			health->undecoded_events += result == DECODE_FAILED;
	}
	run->last = last;
}

/* The same as run_feed(), for events that the second thread has decoded. */
static __attribute__((flatten)) void run_feed_batch(struct run *run,
                                                    const struct ahead_batch *batch)
{
	const struct event *event = batch->event;
	struct health *health = run->pipeline->health;

	if (batch->record_count)
		run_see_time(run, batch->first);
	health->events += batch->record_count;
	health->undecoded_events += batch->failed_count;
	for (uint32_t i = 0; i < batch->piece_count; i++) {
		const struct ahead_piece *piece = &batch->piece[i];
		const bool is_of_stacks = run_is_of_stacks(run, piece->stream);

		for (const struct event *end = event + piece->count; event < end; event++)
			run_take(run, piece->stream, is_of_stacks, event);
		if (piece->ends)
			run_keep_room(run);
	}
	run->last = nsec_max(run->last, batch->last);
}

static bool run_goes_on(const struct run *run, uint64_t *next)
{
	const struct pipeline *pipeline = run->pipeline;
	bool goes_on;

	if (!pipeline->on_progress || pipeline->health->events < *next)
		return true;
	*next = pipeline->health->events + PROGRESS_EVENTS;
	run_pause(run);
	goes_on = pipeline->on_progress(pipeline->progress_state, pipeline->health->events);
	run_resume(run);
	return goes_on;
}

/* Overwritten events that no mark in the pages reports. */
static void run_note_overruns(const struct run *run)
{
	const struct source *source = run->pipeline->source;
	struct health *health = run->pipeline->health;

	for (size_t i = 0; i < source->stream_count; i++) {
		uint64_t before = run->counted[i];
		struct health_gap gap = {
			.cpu = source->streams[i].cpu,
			.begin = run->first,
			.end = run->last,
		};

		if (source->streams[i].overrun <= before)
			continue;
		gap.events = source->streams[i].overrun - before;
		health_gap_add(health, &gap);
	}
}

static void run_note_short_stacks(const struct run *run)
{
	const struct timeline *timeline = run->pipeline->timeline;
	_cleanup_(buffer_release) struct buffer note = {0};

	if (timeline->short_stacks.count == 0)
		return;
	buffer_init(&note, BUFFER_LIMIT_DEFAULT);
	short_stacks_describe(&timeline->short_stacks, &timeline->names, &note);
	health_note(run->pipeline->health, "some stacks of programs %s", note.text);
}

static void run_note_health(const struct run *run)
{
	const struct source *source = run->pipeline->source;
	struct health *health = run->pipeline->health;
	const struct recording_notes notes = {
		.source = source,
		.seen = &run->seen,
		.described = &run->decoder->recorded,
		.state_form = decoder_state_form(run->decoder),
		.has_any = run->has_any,
	};

	run_note_overruns(run);
	health->input_damaged |= source->damaged;
	for (size_t i = 0; i < source->note_count; i++)
		health_note(health, "%s", source->notes[i]);
	run_note_short_stacks(run);
	if (run->pipeline->users)
		user_frames_note(run->pipeline->users, health);
	if (source->clock && !source->is_scaled && !trace_clock_find(source->clock))
		health_note(health, "its clock \"%s\" is not known: its time stamps are taken as "
		                    "nanoseconds", source->clock);
	recording_notes_lacks(&notes, health);
	if (run->has_any && recording_notes_lack(&notes, EVENT_SCHED_SWITCH)) {
		/* even if wake-ups alone show something */
		health->explained_ns = 0;
		health->unseen_ns = 0;
	}
	if (run->decoder->formats_bad)
		health_note(health, "%zu event format%s could not be read: such events are left "
		            "out",
		            run->decoder->formats_bad, format_plural(run->decoder->formats_bad));
	recording_notes_states(&notes, health);
	recording_notes_guest(&notes, health);
	recording_notes_realtime(&notes, health);
}

static void run_read(struct run *run)
{
	uint64_t progress = PROGRESS_EVENTS;
	struct merged_run next;

	while (run_goes_on(run, &progress) && merger_next(run->merger, &next)) {
		if (next.records)
			run_feed(run, &next);
		else
			run_lose(run, &next);
		run_keep_room(run);
	}
}

static void run_read_batches(struct run *run)
{
	uint64_t progress = PROGRESS_EVENTS;
	const struct ahead_batch *batch;

	while (run_goes_on(run, &progress) && (batch = read_ahead_next(run->ahead))) {
		run_feed_batch(run, batch);
		if (!batch->has_lost)
			continue;
		run_lose(run, &batch->lost);
		run_keep_room(run);
	}
	run->ahead = read_ahead_free(run->ahead);
}

struct pipeline_kinds pipeline_run(const struct pipeline *pipeline)
{
	struct run run = {.pipeline = pipeline};
	struct pipeline_kinds kinds;

	run_open(&run);
	if (run.ahead)
		run_read_batches(&run);
	else
		run_read(&run);
	machine_end(run.machine, run.last);
	pipeline->timeline->begin = run.has_any ? run.first : 0;
	pipeline->timeline->end = run.last;
	run_note_health(&run);
	kinds = (struct pipeline_kinds){run.decoder->recorded, run.seen};
	run_close(&run);
	return kinds;
}
