/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "live_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "decode/event_decoder.h"
#include "decode/symbols.h"
#include "graph/aims/aim.h"
#include "live_handover.h"
#include "merge/merger.h"

struct generation {
	struct timeline timeline;
	struct health health;
	struct machine *machine;
	struct live_handover *handover; /* from the one before; NULL: it is the first one */
	struct span_sink sink;
	struct interval_sink interval_sink;
	const struct live_run *run;
	nsec_t begin; /* NSEC_NEVER: not yet */
	uint64_t events_before; /* of all generations until its begin */
	size_t first_tracks, first_names; /* how many there were at the begin */
	bool has_met; /* the tasks of the snapshot have tracks */
};

struct live_run {
	struct live_run_setup setup;
	struct decoder *decoder;
	struct symbols *symbols;
	struct merger *merger;
	struct generation *now;  /* it answers */
	struct generation *next; /* it will; NULL: none has begun */
	bool *has_switches;      /* by stream */
	nsec_t first, last;      /* times of the first and the last event */
	nsec_t due;              /* end of the present period; NSEC_NEVER: there are none */
	struct live_run_counts counts;
	bool has_ended;
	bool has_parts; /* kinds of which the recorder enabled a part occurred */
	struct event_kinds seen;
	struct health health;    /* not of a machine, since it was taken */
};

static const char *find_symbol(void *symbols, uint64_t address)
{
	return symbols_find(symbols, address);
}

static const char *find_symbol_within(void *symbols, uint64_t address)
{
	return symbols_find_within(symbols, address);
}

static const char *find_object(void *symbols, uint64_t address)
{
	return symbols_find_object(symbols, address);
}

static void generation_take(void *state, const struct span *span)
{
	const struct generation *generation = state;
	const struct live_run *run = generation->run;

	if (generation == run->now)
		run->setup.on_span(run->setup.state, span);
}

static void generation_take_interval(void *state, const struct interval *interval)
{
	const struct generation *generation = state;
	const struct live_run *run = generation->run;

	if (generation == run->now)
		run->setup.on_interval(run->setup.state, interval);
}

static struct generation *generation_new(const struct live_run *run, struct live_handover *handover)
{
	struct generation *generation = xcalloc(1, sizeof(*generation));
	struct machine_setup setup = {
		.source = handover ? &handover->source : run->setup.source,
		.symbol = find_symbol,
		.symbol_within = find_symbol_within,
		.object = find_object,
		.symbols = run->symbols,
		.timeline = &generation->timeline,
		.health = &generation->health,
		.sinks = &generation->sink,
		.sink_count = 1,
		.interval_sinks = &generation->interval_sink,
		.interval_sink_count = run->setup.on_interval ? 1 : 0,
		.lacks_contexts = run->setup.source->lacks_contexts,
		.lacks_timers = run->setup.source->lacks_timers,
	};

	machine_setup_expect(&setup, &run->decoder->described);
	generation->run = run;
	generation->begin = NSEC_NEVER;
	generation->handover = handover;
	generation->sink = (struct span_sink){.on_span = generation_take, .state = generation};
	generation->interval_sink = (struct interval_sink){
		.on_interval = generation_take_interval,
		.state = generation,
		.kinds = run->setup.interval_kinds,
	};
	timeline_init(&generation->timeline, run->setup.history_bytes > 0);
	timeline_limit(&generation->timeline, run->setup.history_bytes);
	generation->machine = machine_new(&setup);
	return generation;
}

static struct generation *generation_free(struct generation *generation)
{
	if (!generation)
		return NULL;
	machine_free(generation->machine);
	timeline_release(&generation->timeline);
	health_release(&generation->health);
	live_handover_free(generation->handover);
	free(generation);
	return NULL;
}

static void generation_begin(struct generation *generation, nsec_t time)
{
	generation->begin = time;
	generation->events_before = generation->run->counts.events;
	machine_begin(generation->machine, time);
}

static bool generation_has_begun(const struct generation *generation)
{
	return generation->begin != NSEC_NEVER;
}

/* No event names the task that runs on a CPU before it leaves it. */
static void generation_set_running(struct generation *generation, const struct generation *old)
{
	const struct live_handover *handover = generation->handover;

	for (uint32_t track = 0; track < handover->old_count; track++) {
		const struct known_task *task;
		struct cause_note note;
		struct span span;
		struct event event;

		if (handover->track[track] == TRACK_NONE ||
		    !machine_look(old->machine, track, &span, &note) || span.kind != SEGMENT_RUN)
			continue;
		task = &handover->task[handover->track[track]];
		event = (struct event){
			.time = generation->begin,
			.cpu = span.cpu,
			.kind = EVENT_SCHED_SWITCH,
			.sched_switch = {
				.prev_priority = PRIORITY_UNKNOWN,
				.next_tid = task->tid,
				.next_priority = old->timeline.track[track].priority,
				.next_comm = {task->comm, (uint32_t)strlen(task->comm)},
				.letter = 'R',
			},
		};
		machine_event(generation->machine, &event);
	}
}

/* When the recorder had read the last task of its snapshot. */
static nsec_t snapshot_read(const struct known_task_list *tasks)
{
	nsec_t read = 0;

	for (size_t i = 0; i < tasks->count; i++)
		read = nsec_max(read, tasks->item[i].read);
	return read;
}

/* The tasks of a snapshot that was taken after the begin have not had an event by then, if they
   have none here. */
static void generation_meet(const struct live_run *run, struct generation *generation)
{
	if (generation->has_met ||
	    (!generation->handover && run->last < snapshot_read(&run->setup.source->notes.tasks)))
		return;
	machine_meet_known(generation->machine,
	                   /* sleepers_only= */ run->setup.on_period && !generation->handover);
	generation->has_met = true;
	generation->first_tracks = generation->timeline.track_count;
	generation->first_names = generation->timeline.names.count;
}

static struct live_handover *tasks_of(const struct live_run *run,
                                      const struct generation *generation)
{
	return live_handover_new(run->setup.source, generation->handover, generation->machine,
	                         &generation->timeline, run->last);
}

static struct generation *generation_follow(const struct live_run *run,
                                            const struct generation *old)
{
	struct live_handover *handover = tasks_of(run, old);
	struct generation *generation = generation_new(run, handover);

	generation_begin(generation, run->last);
	generation_meet(run, generation);
	live_handover_carry(handover, &old->timeline, &generation->timeline);
	generation_set_running(generation, old);
	return generation;
}

static size_t generation_tracks(const struct generation *generation)
{
	return generation->timeline.track_count - generation->first_tracks;
}

/* Whether it has `times` as many tasks or names as it is to have. */
static bool generation_has(const struct live_run *run, const struct generation *generation,
                           size_t times)
{
	return generation_tracks(generation) >= times * run->setup.tracks_max ||
	       generation->timeline.names.count - generation->first_names >=
	               times * GENERATION_NAMES_MAX;
}

static bool generation_is_full(const struct live_run *run, const struct generation *generation)
{
	return generation_has(run, generation, 1) ||
	       run->last - generation->begin >= GENERATION_AGE_NS;
}

/* Whether the next generation can take over. Of very many new tasks the overlap keeps no more than
   there is room for. */
static bool run_has_overlap(const struct live_run *run)
{
	return run->last - run->next->begin >= run->setup.overlap ||
	       generation_tracks(run->next) >= run->setup.tracks_max / 2;
}

struct live_run *live_run_new(const struct live_run_setup *setup)
{
	struct live_run *run = xcalloc(1, sizeof(*run));

	run->setup = *setup;
	if (run->setup.tracks_max == 0)
		run->setup.tracks_max = GENERATION_TRACKS_MAX;
	if (run->setup.overlap == 0)
		run->setup.overlap = OVERLAP_NS;
	run->decoder = decoder_new(setup->source);
	run->symbols = symbols_new(setup->source);
	if (setup->interval_kinds & INTERVAL_MASK(INTERVAL_LOCK) &&
	    run->decoder->described.has[EVENT_LOCK_BEGIN])
		symbols_keep_objects(run->symbols);
	run->first = run->due = NSEC_NEVER;
	run->has_switches = xcalloc(setup->source->stream_count, sizeof(*run->has_switches));
	run->now = generation_new(run, NULL);
	return run;
}

struct live_run *live_run_free(struct live_run *run)
{
	if (!run)
		return NULL;
	merger_free(run->merger);
	generation_free(run->next);
	generation_free(run->now);
	symbols_free(run->symbols);
	decoder_free(run->decoder);
	free(run->has_switches);
	health_release(&run->health);
	free(run);
	return NULL;
}

static void run_see_time(struct live_run *run, nsec_t time)
{
	if (!generation_has_begun(run->now)) {
		generation_begin(run->now, time);
		run->first = time;
		if (run->setup.period > 0 && time < NSEC_NEVER - run->setup.period)
			run->due = time + run->setup.period;
	}
}

static void run_set_reached(struct live_run *run, nsec_t time)
{
	run->last = nsec_max(run->last, time);
	generation_meet(run, run->now);
	machine_reach(run->now->machine, run->last);
	if (run->next)
		machine_reach(run->next->machine, run->last);
}

/* A period has ended: what is kept of it shall not end the next one early. */
static void generation_make_room(struct generation *generation)
{
	if (generation->timeline.bytes > generation->timeline.bytes_max / 2)
		timeline_trim(&generation->timeline);
}

/* The end of the period after `run->due`, so that no time without events until `time` makes more
   than two. */
static nsec_t run_next_due(const struct live_run *run, nsec_t time)
{
	nsec_t period = run->setup.period;
	nsec_t periods = time - run->due < 2 * period ? 1 : (time - run->due) / period;

	return run->due > NSEC_NEVER - period * periods - 1 ? NSEC_NEVER
	                                                    : run->due + period * periods;
}

/* What comes next is not before `time`: ends the periods that are over by then. */
static void run_come_to(struct live_run *run, nsec_t time)
{
	while (run->due != NSEC_NEVER && run->due <= time) {
		run_set_reached(run, run->due);
		run->due = run_next_due(run, time);
		run->setup.on_period(run->setup.state);
		generation_make_room(run->now);
	}
}

static void run_lose(struct live_run *run, const struct merged_run *lost)
{
	nsec_t begin = lost->is_first ? lost->lost_end : lost->lost_begin;
	nsec_t end = nsec_max(begin, lost->lost_end);
	struct health_gap gap = {lost->cpu, lost->lost_events, begin, end};

	run->counts.lost += lost->lost_events == LOST_UNCOUNTED ? 1 : lost->lost_events;
	if (begin == NSEC_NEVER) /* all that the CPU recorded */
		return;
	if (end == NSEC_NEVER)
		gap.end = nsec_max(begin, run->last);
	run_see_time(run, begin);
	run_come_to(run, begin);
	run->last = nsec_max(run->last, begin);
	health_gap_add(&run->health, &gap);
	if (source_stream_has_stacks(run->setup.source, lost->stream))
		return;
	begin = nsec_max(begin, run->last);
	machine_gap(run->now->machine, lost->cpu, begin, end, run->has_switches[lost->stream]);
	if (run->next)
		machine_gap(run->next->machine, lost->cpu, begin, end,
		            run->has_switches[lost->stream]);
}

static void generation_feed(struct generation *generation, const struct event *event,
                            bool is_of_stacks)
{
	if (is_of_stacks)
		machine_sample(generation->machine, event);
	else
		machine_event(generation->machine, event);
}

static void run_feed_event(struct live_run *run, size_t stream, const struct event *event)
{
	bool is_of_stacks = source_stream_has_stacks(run->setup.source, stream);

	if (run->decoder->partial.has[event->kind])
		run->has_parts = true;
	else
		run->seen.has[event->kind] = true;
	if (event->kind == EVENT_SCHED_SWITCH)
		run->has_switches[stream] = true;
	generation_feed(run->now, event, is_of_stacks);
	if (run->next)
		generation_feed(run->next, event, is_of_stacks);
}

/* The source may have found events of which it had none so far. */
static void run_read_formats(struct live_run *run)
{
	struct decoder *decoder = run->decoder;

	if (decoder->formats_read == run->setup.source->format_count)
		return;
	decoder_read_formats(decoder, run->setup.source);
	machine_expect(run->now->machine, &decoder->described);
	if (run->next)
		machine_expect(run->next->machine, &decoder->described);
}

static void run_feed(struct live_run *run, const struct merged_run *records)
{
	run_read_formats(run);
	run_see_time(run, records->records[0].time);
	for (size_t i = 0; i < records->count; i++) {
		const struct record *record = &records->records[i];
		enum decode_result result;
		struct event event;
		bool is_event;

		run_come_to(run, record->time);
		run->last = nsec_max(run->last, record->time);
		run->counts.events++;
		run->health.events++;
		result = decoder_decode(run->decoder, record, records->cpu, &event);
		run->health.undecoded_events += result == DECODE_FAILED;
		is_event = result == DECODE_EVENT;
		if (is_event)
			run_feed_event(run, records->stream, &event);
		if (run->setup.on_record && !source_stream_has_stacks(run->setup.source,
		                                                      records->stream))
			run->setup.on_record(run->setup.state, &(struct live_record){
				.record = record,
				.cpu = records->cpu,
				.event = is_event ? &event : NULL,
			});
	}
}

static void generation_keep_room(struct generation *generation)
{
	if (timeline_is_full(&generation->timeline))
		timeline_trim(&generation->timeline);
}

bool live_run_is_crowded(const struct live_run *run)
{
	/* before, the tasks of the begin count as new */
	return run->now->has_met && generation_has(run, run->now, CROWD_TIMES) &&
	       (!run->next || run_has_overlap(run));
}

/* Forgets what earlier periods have left, and ends the present one early before any of it would be
   forgotten, or where so many tasks began that only another generation bounds the memory. */
static void run_keep_room(struct live_run *run)
{
	if (run->setup.on_period &&
	    (timeline_is_full(&run->now->timeline) || live_run_is_crowded(run))) {
		run_set_reached(run, run->last);
		run->setup.on_period(run->setup.state);
	}
	generation_keep_room(run->now);
	if (run->next)
		generation_keep_room(run->next);
}

void live_run_read(struct live_run *run)
{
	struct merged_run next;

	run->merger = merger_new(run->setup.source);
	while (merger_next(run->merger, &next)) {
		if (next.records)
			run_feed(run, &next);
		else
			run_lose(run, &next);
		run_keep_room(run);
	}
}

/* What the recorder saw in /proc, or the source of processes, since the last time. */
static void generation_see(struct generation *generation, const struct recording_notes *notes)
{
	for (size_t i = 0; i < notes->new_tasks.count; i++)
		machine_know_process(generation->machine, notes->new_tasks.item[i].tid,
		                     notes->new_tasks.item[i].tgid);
	for (size_t i = 0; i < notes->open_waits.count; i++)
		machine_see(generation->machine, &notes->open_waits.item[i]);
}

void live_run_reach(struct live_run *run, nsec_t time)
{
	if (!generation_has_begun(run->now)) {
		run->last = nsec_max(run->last, time);
		return;
	}
	run_come_to(run, time);
	run_set_reached(run, time);
	generation_see(run->now, &run->setup.source->notes);
	if (run->next)
		generation_see(run->next, &run->setup.source->notes);
}

void live_run_end(struct live_run *run)
{
	run->has_ended = true;
	generation_meet(run, run->now);
	machine_end(run->now->machine, run->last);
}

bool live_run_has_ended(const struct live_run *run)
{
	return run->has_ended;
}

bool live_run_renew(struct live_run *run)
{
	if (!generation_has_begun(run->now))
		return false;
	if (!run->next) {
		if (generation_is_full(run, run->now))
			run->next = generation_follow(run, run->now);
		return false;
	}
	if (!run_has_overlap(run))
		return false;
	run->counts.late += run->now->health.late_events;
	generation_free(run->now);
	run->now = run->next;
	run->next = NULL;
	run->counts.generations++;
	return true;
}

nsec_t live_run_first(const struct live_run *run)
{
	return run->first;
}

nsec_t live_run_last(const struct live_run *run)
{
	return run->last;
}

struct timeline *live_run_timeline(struct live_run *run)
{
	return &run->now->timeline;
}

struct machine *live_run_machine(const struct live_run *run)
{
	return run->now->machine;
}

struct live_handover *live_run_tasks(const struct live_run *run)
{
	return generation_has_begun(run->now) ? tasks_of(run, run->now) : NULL;
}

struct brief_aim live_run_aim(const struct live_run *run, const struct span *span,
                              const struct cause_note *cause)
{
	const struct noted_wait *noted =
		span->is_open ? open_wait_noted(run->now->machine, span->track) : NULL;
	const struct timeline *timeline = &run->now->timeline;

	if (!noted || noted->aim == AIM_NONE)
		return brief_aim_of_cause(timeline, span->track, cause);
	return (struct brief_aim){
		.kind = (enum aim_kind)noted->aim,
		.name = noted->path ? intern_text(&timeline->names, noted->path) : NULL,
	};
}

struct live_wait live_run_wait(const struct live_run *run, const struct span *span)
{
	const struct carried_wait *wait = live_handover_wait(run->now->handover, span);

	if (!wait)
		return (struct live_wait){
			.since = span->begin,
			.is_older = !run->now->handover && span->begin == run->now->begin,
			.detail = span->detail,
			.timeout = span->timeout,
		};
	return (struct live_wait){
		.since = wait->since,
		.is_older = wait->is_older,
		.detail = wait->detail,
		.timeout = wait->timeout,
		.cause = wait->has_cause ? &wait->cause : NULL,
	};
}

void live_run_show_open(struct live_run *run, bool as_end)
{
	run->now->timeline.end = run->last;
	machine_show_open(run->now->machine, as_end);
}

struct live_run_counts live_run_counts(const struct live_run *run)
{
	struct live_run_counts counts = run->counts;

	counts.late += run->now->health.late_events;
	return counts;
}

struct recording_remarks live_run_remarks(const struct live_run *run)
{
	return (struct recording_remarks){
		.source = run->setup.source,
		.seen = &run->seen,
		.has_wakeup_timers = run->has_parts,
		.described = &run->decoder->recorded,
		.state_form = decoder_state_form(run->decoder),
		.has_any = run->counts.events > 0,
	};
}

void live_run_health(const struct live_run *run, struct health *ret)
{
	const struct generation *generation = run->now;

	health_copy(ret, &generation->health);
	if (!run->has_ended)
		machine_weigh(generation->machine, ret);
	ret->events = run->counts.events - generation->events_before;
	ret->gaps_unlisted = run->health.gaps_unlisted;
	for (size_t i = 0; i < run->health.gap_count; i++)
		if (!generation->handover || run->health.gaps[i].end > generation->begin)
			health_gap_add(ret, &run->health.gaps[i]);
}

void live_run_take_health(struct live_run *run, struct health *ret)
{
	struct health *machine = &run->now->health;

	run->counts.late += machine->late_events;
	*ret = *machine;
	*machine = (struct health){0};
	ret->events = run->health.events;
	ret->undecoded_events = run->health.undecoded_events;
	ret->events_lost = run->health.events_lost;
	ret->gaps = run->health.gaps;
	ret->gap_count = run->health.gap_count;
	ret->gaps_unlisted = run->health.gaps_unlisted;
	ret->task_ns = ret->explained_ns = ret->unseen_ns = ret->unknown_ns = 0;
	ret->open_waits = 0;
	run->health = (struct health){0};
}
