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
#include "words/time_scale.h"
#include "words/trace_clock.h"

#define PROGRESS_EVENTS (1u << 18)
/* A larger uncertainty of times of day, in ns, is noted. */
#define WITHIN_MAX      1000000

/* The consequence if a trace has none of these events. */
static const struct {
	enum event_kind kind;
	const char *consequence;
} wanted[] = {
	{EVENT_SCHED_SWITCH, "no sched_switch in this trace: which tasks waited is not known"},
	{EVENT_SCHED_WAKING, "no sched_waking in this trace: wakers are taken from sched_wakeup "
	                     "and less certain"},
};

/* The same for events that show causes of waits. */
static const struct {
	enum event_kind kind;
	const char *group;
	const char *consequence;
} wanted_objects[] = {
	{EVENT_IRQ_ENTRY, "irq", "interrupts that wake are not named"},
	{EVENT_HRTIMER_ENTRY, "timer", "sleeps look like interrupts"},
	{EVENT_BLOCK_COMPLETE, "block", "disk waits look like interrupts"},
	{EVENT_NET_RECEIVE, "net", "network waits look like interrupts"},
};

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

/* No record shows when the host did not run a virtual CPU: its events pause, and its task seems to
   run. */
static void run_note_guest(const struct run *run)
{
	const struct source *source = run->pipeline->source;
	struct health *health = run->pipeline->health;

	health->has_steal = source->has_steal;
	health->steal_ns = source->steal_ns;
	if (source->steal_ns)
		health_note(health,
		            "recorded in a virtual machine: %s of CPU time were stolen by the "
		            "host; that time counts as running, or as a late wake-up",
		            DURATION_TEXT(source->steal_ns));
	else if (source->is_guest)
		health_note(health, "recorded in a virtual machine; %s",
		            source->has_steal ? "its host reports no stolen CPU time"
		                              : "how much CPU time its host stole is not known");
}

/* The kernel's own print format is wrong for such a trace, so other tools show other states. */
static void run_note_states(const struct run *run)
{
	static const char *const notes[] = {
		[STATE_BY_BIT] = NULL,
		[STATE_BY_INDEX] = "this kernel recorded the number of a task's state, not its "
		                   "bit (4.14.0 to 4.14.62 do): read as that",
		[STATE_SHIFTED] = "this kernel recorded the bit next to that of a task's state "
		                  "(4.14.63 to 4.20 do): read as that; its idle kernel workers "
		                  "look preempted",
	};
	enum state_form form = decoder_state_form(run->decoder);

	if (notes[form])
		health_note(run->pipeline->health, "%s", notes[form]);
}

static bool run_lacks(const struct run *run, enum event_kind kind)
{
	return !run->seen.has[kind] && !run->decoder->recorded.has[kind];
}

/* Without timer events, sleeps are still explained if their system calls are known. */
static const char *run_object_consequence(const struct run *run, size_t object)
{
	if (wanted_objects[object].kind == EVENT_HRTIMER_ENTRY &&
	    !run_lacks(run, EVENT_SYSCALL_ENTER))
		return "timeouts look like interrupts, as do sleeps of tasks whose system calls "
		       "were not recorded";
	return wanted_objects[object].consequence;
}

/* " (ftwait record -e +timer)", or that the events were recorded but the kernel reported none. */
static void remedy_append(const struct run *run, const char *groups, struct buffer *to)
{
	struct recorded recorded =
		recorded_of(run->pipeline->source, run->seen.has[EVENT_STACK]);

	buffer_puts(to, " (");
	if (recorded_has(&recorded, groups))
		buffer_puts(to, "recorded, but this kernel reported none");
	else
		record_line_append(to, &recorded, groups, /* stacks= */ false);
	buffer_putc(to, ')');
}

/* A single track, however many kinds of events are missing. */
static void run_note_objects(const struct run *run)
{
	const char *consequence = NULL;
	_cleanup_(buffer_release) struct buffer groups = {0}, words = {0}, note = {0};
	size_t count = 0;

	buffer_init(&groups, 100);
	buffer_init(&words, 100);
	buffer_init(&note, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < ARRAY_SIZE(wanted_objects); i++) {
		if (!run_lacks(run, wanted_objects[i].kind))
			continue;
		buffer_printf(&groups, "%s%s", count ? "," : "", wanted_objects[i].group);
		buffer_printf(&words, "%s%s", count ? ", " : "", wanted_objects[i].group);
		count++;
		consequence = run_object_consequence(run, i);
	}
	if (count == 0)
		return;
	if (count > 1)
		consequence = "waits that these would explain look like interrupts";
	buffer_printf(&note, "no %s events in this trace: %s", words.text, consequence);
	remedy_append(run, groups.text, &note);
	health_note(run->pipeline->health, "%s", note.text);
}

static void run_note_lacks(const struct run *run)
{
	_cleanup_(buffer_release) struct buffer note = {0};

	if (!run->has_any)
		return;
	buffer_init(&note, BUFFER_LIMIT_DEFAULT);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (!run_lacks(run, wanted[i].kind))
			continue;
		buffer_clear(&note);
		buffer_puts(&note, wanted[i].consequence);
		remedy_append(run, "sched", &note);
		health_note(run->pipeline->health, "%s", note.text);
	}
	run_note_objects(run);
	if (run_lacks(run, EVENT_SCHED_SWITCH)) { /* even if wake-ups alone show something */
		run->pipeline->health->explained_ns = 0;
		run->pipeline->health->unseen_ns = 0;
	}
}

/* Notes what makes times of day uncertain. */
static void run_note_realtime(const struct run *run)
{
	const struct realtime *realtime = &run->pipeline->source->realtime;
	struct health *health = run->pipeline->health;
	int64_t jump = time_scale_jump(realtime);
	nsec_t within = 0;

	for (size_t i = 0; i < realtime->count; i++)
		within = nsec_max(within, realtime->pair[i].within);
	if (jump != 0)
		health_note(health,
		            "while this was recorded, the time of day went %s %s than the trace's "
		            "clock: it was set, or the machine was suspended; times of day are "
		            "uncertain by as much",
		            DURATION_TEXT((nsec_t)(jump < 0 ? -jump : jump)),
		            jump < 0 ? "less far" : "further");
	if (within > WITHIN_MAX)
		health_note(health, "times of day are uncertain by %s: the recorder could not read "
		                    "both clocks at once", DURATION_TEXT(within));
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
	run_note_lacks(run);
	if (run->decoder->formats_bad)
		health_note(health, "%zu event format%s could not be read: such events are left "
		            "out",
		            run->decoder->formats_bad, format_plural(run->decoder->formats_bad));
	if (run->has_any)
		run_note_states(run);
	run_note_guest(run);
	run_note_realtime(run);
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
