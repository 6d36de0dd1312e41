/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/recorded.h"
#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/data/object_pool.h"
#include "base/text/buffer.h"
#include "base/text/format.h"
#include "decode/event_decoder.h"
#include "host_run.h"
#include "merge/merger.h"
#include "read_ahead.h"
#include "state/net/connection.h"

#define PROGRESS_EVENTS (1u << 18)

struct run_stream {
	struct host_run *host;
	bool is_of_stacks; /* it is of its machine's buffer of stacks and ticks */
	bool has_switches; /* it had events of switches */
	uint64_t counted;  /* number of lost events that marks in its pages report */
	/* lost although it has no records, but not yet reported, as its machine's first record is
	   still to come */
	uint64_t lost;
};

struct run {
	const struct pipeline *pipeline;
	struct host_run *host; /* one for each machine of the source */
	size_t host_count;
	struct run_stream *stream; /* by stream */
	struct decoder **decoder_of; /* by stream */
	struct merger *merger;
	struct read_ahead *ahead; /* NULL: there is no second thread */
	struct host_events *events;  /* NULL: there is one machine */
	struct object_pool messages; /* on their way between machines */
	struct stream_ends ends;     /* of connections between machines */
	bool has_any;
	nsec_t first; /* time of the first record, whether decoded or not */
};

/* Between run_pause() and run_resume() the source belongs to the first thread. */
static void run_pause(void *state)
{
	const struct run *run = state;

	if (run->ahead)
		read_ahead_pause(run->ahead);
}

static void run_resume(void *state)
{
	const struct run *run = state;

	if (run->ahead)
		read_ahead_resume(run->ahead);
}

static void run_open_host(struct run *run, size_t number, struct source *source,
                          const struct machine_setup *setup)
{
	const struct pipeline *pipeline = run->pipeline;
	const struct source_part *part =
		pipeline->source->part_count ? &pipeline->source->parts[number] : NULL;
	struct host_run *host = &run->host[number];
	size_t first = part ? part->first_stream : 0;

	*host = (struct host_run){
		.source = source,
		.number = (uint32_t)number,
		.cpu_first = part ? part->cpu_first : 0,
		.users = pipeline->users ? pipeline->users[number] : NULL,
		.kernel = part ? NULL : pipeline->kernel,
		.health = part ? &host->own : pipeline->health,
		.pause = run_pause,
		.resume = run_resume,
		.thread = run,
	};
	host_run_open(host, setup);
	for (size_t i = 0; i < source->stream_count; i++) {
		run->stream[first + i] = (struct run_stream){
			.host = host,
			.is_of_stacks = source_stream_has_stacks(source, i),
		};
		run->decoder_of[first + i] = host->decoder;
	}
}

static void run_open(struct run *run)
{
	const struct pipeline *pipeline = run->pipeline;
	struct source *source = pipeline->source;
	const struct machine_setup setup = {
		.timeline = pipeline->timeline,
		.sinks = pipeline->sinks,
		.sink_count = pipeline->sink_count,
		.interval_sinks = pipeline->interval_sinks,
		.interval_sink_count = pipeline->interval_sink_count,
		.on_step = pipeline->on_step,
		.step_state = pipeline->step_state,
		.messages = source->part_count ? &run->messages : NULL,
		.ends = source->part_count ? &run->ends : NULL,
	};

	if (source->part_count)
		stream_ends_begin(&run->ends);
	run->host_count = source->part_count ? source->part_count : 1;
	run->host = xcalloc(run->host_count, sizeof(*run->host));
	run->stream = xcalloc(source->stream_count, sizeof(*run->stream));
	run->decoder_of = xcalloc(source->stream_count, sizeof(struct decoder *));
	for (size_t i = 0; i < source->part_count; i++)
		run_open_host(run, i, source->parts[i].source, &setup);
	if (source->part_count == 0)
		run_open_host(run, 0, source, &setup);
	if (source->part_count) {
		run->events = host_events_new(pipeline->messages, source->cpu_count);
		net_messages_init(&run->messages);
	}
	run->merger = merger_new(source);
	if (pipeline->reads_ahead)
		run->ahead = read_ahead_new(run->merger, run->decoder_of);
}

static void run_close(struct run *run)
{
	merger_free(run->merger);
	for (size_t i = 0; i < run->host_count; i++)
		host_run_close(&run->host[i]);
	if (run->events) {
		object_pool_release(&run->messages);
		object_pool_release(&run->ends.by_addresses);
	}
	host_events_free(run->events);
	free(run->host);
	free(run->stream);
	free(run->decoder_of);
}

static void run_lose_all(struct run *run, const struct host_run *host);

/* The first record of that machine. */
static __attribute__((noinline)) void run_begin_host(struct run *run, struct host_run *host,
                                                     nsec_t time)
{
	if (!run->has_any) {
		run->has_any = true;
		run->first = time;
		run->pipeline->timeline->begin = time;
	}
	host_run_begin(host, time);
	run_lose_all(run, host);
}

static inline void run_see_time(struct run *run, struct host_run *host, nsec_t time)
{
	if (!host->has_any)
		run_begin_host(run, host, time);
	host->last = nsec_max(host->last, time);
}

/* Whether the recorder kept the newest events only, and these are older. */
static bool gap_is_overwritten(const struct host_run *host, const struct merged_run *lost)
{
	return host->source->notes.keeps_newest && lost->is_first && lost->lost_end != NSEC_NEVER;
}

/* Lost events of a buffer without the scheduler's events affect the contexts of CPUs, but not the
   states of tasks. */
static void run_lose(struct run *run, const struct merged_run *lost)
{
	struct run_stream *stream = &run->stream[lost->stream];
	struct host_run *host = stream->host;
	nsec_t begin = lost->is_first ? host->has_any ? host->first : lost->lost_end
	                              : lost->lost_begin;
	struct health_gap gap = {
		.cpu = lost->cpu,
		.events = lost->lost_events,
		.begin = begin,
		.end = nsec_max(begin, lost->lost_end),
	};
	bool is_all = lost->is_first && lost->lost_end == NSEC_NEVER;
	bool has_switches = stream->has_switches || is_all || host->source->buffer_count < 2;

	if (begin == NSEC_NEVER) {
		stream->lost = lost->lost_events;
		return;
	}
	if (gap.events != LOST_UNCOUNTED)
		stream->counted += gap.events;
	run_see_time(run, host, begin);
	if (gap_is_overwritten(host, lost))
		host_run_note_overwritten(host, gap.events, gap.end);
	else
		health_gap_add(run->pipeline->health, &gap);
	if (stream->is_of_stacks)
		return;
	machine_gap(host->machine, lost->cpu, nsec_max(begin, host->last), gap.end, has_switches);
	if (run->pipeline->on_gap && !gap_is_overwritten(host, lost))
		run->pipeline->on_gap(run->pipeline->event_state, &gap);
}

/* What streams of the machine lost that have no records. */
static void run_lose_all(struct run *run, const struct host_run *host)
{
	const struct source *source = run->pipeline->source;

	for (size_t i = 0; i < source->stream_count; i++)
		if (run->stream[i].host == host && run->stream[i].lost)
			run_lose(run, &(struct merged_run){
				.cpu = source->streams[i].cpu,
				.stream = (uint32_t)i,
				.lost_events = run->stream[i].lost,
				.is_first = true,
				.lost_end = NSEC_NEVER,
			});
}

static __attribute__((noinline)) void run_make_room(struct run *run)
{
	const struct pipeline *pipeline = run->pipeline;

	for (size_t i = 0; i < run->host_count; i++)
		machine_show_open(run->host[i].machine, /* as_end= */ false);
	pipeline->on_full(pipeline->full_state);
	for (size_t i = 0; i < run->host_count; i++)
		machine_hide_open(run->host[i].machine);
	timeline_trim(pipeline->timeline);
}

/* Makes room in the timeline if it is full. Call after each run of the merger, and after each
   loss. */
static inline __attribute__((always_inline)) void run_keep_room(struct run *run)
{
	if (timeline_is_full(run->pipeline->timeline))
		run_make_room(run);
}

static inline void run_take(struct run *run, struct run_stream *stream, const struct event *event)
{
	const struct pipeline *pipeline = run->pipeline;
	struct host_run *host = stream->host;

	if (stream->is_of_stacks) {
		/* samples accompany the events of the other buffers, and show nothing that those
		   already show */
		machine_sample(host->machine, event);
		return;
	}
	host->seen.has[event->kind] = true;
	if (event->kind == EVENT_SCHED_SWITCH)
		stream->has_switches = true;
	machine_event(host->machine, event);
	if (pipeline->on_event)
		pipeline->on_event(pipeline->event_state, event);
}

/* The same for an event of one of several machines: it must fit on the common timeline first. */
static __attribute__((noinline)) void
run_take_of_several(struct run *run, struct run_stream *stream, const struct event *event)
{
	struct event own = *event;

	host_event_fit(run->events, &run->pipeline->timeline->devices, stream->host->number,
	               stream->host->cpu_first, &own);
	run_take(run, stream, &own);
}

/* All events go through this loop or the one of run_feed_batch(). So what is constant for a run is
   computed outside the loop. */
static inline __attribute__((always_inline)) void
run_feed_records(struct run *run, const struct merged_run *records, bool are_several)
{
	struct run_stream *const stream = &run->stream[records->stream];
	const struct record *const end = records->records + records->count;
	struct decoder *const decoder = stream->host->decoder;
	struct health *health = run->pipeline->health;
	struct event event;
	nsec_t last;

	run_see_time(run, stream->host, records->records[0].time);
	last = stream->host->last;
	health->events += records->count;
	for (const struct record *record = records->records; record < end; record++) {
		enum decode_result result = decoder_decode(decoder, record, records->cpu, &event);

		/* time may go back within a stream, too */
		last = nsec_max(last, record->time);
		if (result != DECODE_EVENT)
			health->undecoded_events += result == DECODE_FAILED;
		else if (are_several)
			run_take_of_several(run, stream, &event);
		else
			run_take(run, stream, &event);
	}
	stream->host->last = last;
}

/* The callees of this loop and of run_feed_batch() are inlined (flattened). */
static __attribute__((flatten)) void run_feed(struct run *run, const struct merged_run *records)
{
	run_feed_records(run, records, false);
}

static void run_feed_of_several(struct run *run, const struct merged_run *records)
{
	run_feed_records(run, records, true);
}

/* The same as run_feed(), for events that the second thread has decoded. */
static __attribute__((flatten)) void run_feed_batch(struct run *run,
                                                    const struct ahead_batch *batch)
{
	const struct event *event = batch->event;
	struct health *health = run->pipeline->health;

	health->events += batch->record_count;
	health->undecoded_events += batch->failed_count;
	for (uint32_t i = 0; i < batch->piece_count; i++) {
		const struct ahead_piece *piece = &batch->piece[i];
		struct run_stream *const stream = &run->stream[piece->stream];
		const struct event *const end = event + piece->count;

		if (piece->has_records)
			run_see_time(run, stream->host, piece->first);
		if (run->events)
			for (; event < end; event++)
				run_take_of_several(run, stream, event);
		for (; event < end; event++)
			run_take(run, stream, event);
		stream->host->last = nsec_max(stream->host->last, piece->last);
		if (piece->ends)
			run_keep_room(run);
	}
}

/* Reports how far the run is; false: it is to end. */
static __attribute__((noinline)) bool run_report_progress(struct run *run, uint64_t *next)
{
	const struct pipeline *pipeline = run->pipeline;
	bool goes_on;

	*next = pipeline->health->events + PROGRESS_EVENTS;
	run_pause(run);
	goes_on = pipeline->on_progress(pipeline->progress_state, pipeline->health->events);
	run_resume(run);
	return goes_on;
}

static inline bool run_goes_on(struct run *run, uint64_t *next)
{
	return !run->pipeline->on_progress || run->pipeline->health->events < *next ||
	       run_report_progress(run, next);
}

/* A loss to which no record puts an end lasts until the trace ends. */
static void run_end_gaps(const struct run *run)
{
	struct health *health = run->pipeline->health;

	for (size_t i = 0; i < health->gap_count; i++)
		health->gaps[i].end = nsec_min(health->gaps[i].end,
		                               run->pipeline->timeline->end);
}

/* Overwritten events that no mark in the pages reports. */
static void run_note_overruns(const struct run *run)
{
	const struct source *source = run->pipeline->source;
	struct health *health = run->pipeline->health;

	for (size_t i = 0; i < source->stream_count; i++) {
		const struct host_run *host = run->stream[i].host;
		uint64_t before = run->stream[i].counted;
		struct health_gap gap = {
			.cpu = source->streams[i].cpu,
			.begin = host->first,
			.end = host->last,
		};

		if (source->streams[i].overrun <= before)
			continue;
		gap.events = source->streams[i].overrun - before;
		if (host->source->notes.keeps_newest) {
			uint64_t dropped = source->streams[i].dropped < gap.events
			                           ? source->streams[i].dropped
			                           : gap.events;

			if (gap.events > dropped)
				host_run_note_overwritten(run->stream[i].host, gap.events - dropped,
				                          host->first);
			gap.events = dropped;
		}
		if (gap.events)
			health_gap_add(health, &gap);
	}
}

static void run_note_short_stacks(const struct run *run)
{
	const struct timeline *timeline = run->pipeline->timeline;
	_cleanup_(buffer_release) struct buffer note = buffer_of(BUFFER_LIMIT_DEFAULT);

	if (timeline->short_stacks.count == 0)
		return;
	short_stacks_describe(&timeline->short_stacks, &timeline->names, &note);
	health_note(run->pipeline->health, "some stacks of programs %s", note.text);
}

static void run_note_health(const struct run *run)
{
	const struct source *source = run->pipeline->source;

	run_end_gaps(run);
	run_note_overruns(run);
	for (size_t i = 0; i < run->host_count; i++)
		host_run_note(&run->host[i]);
	run_note_short_stacks(run);
	for (size_t i = 0; source->part_count && i < source->health.note_count; i++)
		health_note(run->pipeline->health, "%s", source->health.notes[i]);
	if (source->part_count)
		host_notes_join(source, run->host, run->pipeline->health);
}

static void run_read(struct run *run)
{
	uint64_t progress = PROGRESS_EVENTS;
	struct merged_run next;

	while (run_goes_on(run, &progress) && merger_next(run->merger, &next)) {
		if (next.records && run->events)
			run_feed_of_several(run, &next);
		else if (next.records)
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

static struct pipeline_kinds run_kinds(const struct run *run)
{
	struct pipeline_kinds kinds = {0};

	for (size_t i = 0; i < run->host_count; i++) {
		struct event_kinds seen = run->host[i].seen;

		(void)decoder_hide_parts(run->host[i].decoder, &seen);
		event_kinds_add(&kinds.recorded, &run->host[i].decoder->recorded);
		event_kinds_add(&kinds.seen, &seen);
	}
	return kinds;
}

struct pipeline_kinds pipeline_run(const struct pipeline *pipeline)
{
	struct run run = {.pipeline = pipeline};
	struct pipeline_kinds kinds;
	nsec_t end = 0;

	run_open(&run);
	if (run.ahead)
		run_read_batches(&run);
	else
		run_read(&run);
	for (size_t i = 0; i < run.host_count; i++) {
		machine_end(run.host[i].machine, run.host[i].last);
		end = nsec_max(end, run.host[i].last);
	}
	pipeline->timeline->begin = run.has_any ? run.first : 0;
	pipeline->timeline->end = end;
	run_note_health(&run);
	kinds = run_kinds(&run);
	run_close(&run);
	return kinds;
}
