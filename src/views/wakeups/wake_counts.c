/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wake_counts.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "graph/timeline/timeline_tasks.h"
#include "words/cause/cause_kind.h"

/* With this many rows each the view takes some hundred MB. */
#define ROWS_MAX (1u << 18)
/* Interrupts of an idle CPU that are remembered until it is known which one woke it. */
#define STIMULI_MAX 32u

enum item_kind {
	ITEM_WOKEN,    /* a task is woken */
	ITEM_RAN,      /* a task's run */
	ITEM_SWITCHED, /* an idle task's run */
	ITEM_STAY,     /* a stay in an idle state */
	ITEM_STIMULUS, /* an interrupt, or a timer's callback */
};

struct wake_item {
	nsec_t begin, end;
	uint32_t track; /* WOKEN, RAN */
	uint32_t cpu : 16, kind : 4, is_open : 1, is_idle : 1; /* STIMULUS: the CPU was idle */
	uint32_t state; /* STAY */
	struct wake_source source; /* WOKEN, STIMULUS */
};

struct pending_source {
	struct wake_source source;
	nsec_t woken;
	bool is_set;
};

struct stimulus {
	nsec_t begin, end;
	struct wake_source source;
};

/* The last ones of an idle CPU. */
struct stimuli {
	struct stimulus at[STIMULI_MAX]; /* a ring */
	uint32_t count, next;
	nsec_t lost; /* begin of the last one that was overwritten; 0: none */
};

static const struct wake_source source_unknown = {.kind = CAUSE_UNKNOWN, .task = TRACK_NONE};

static struct woken_cpu *counts_cpu(struct wake_counts *counts, uint32_t number)
{
	ARRAY_REACH(counts->cpu, counts->cpu_count, counts->cpu_capacity, number);
	counts->cpu[number].is_seen = true;
	return &counts->cpu[number];
}

static struct pending_source *counts_pending(struct wake_counts *counts, uint32_t track)
{
	ARRAY_REACH(counts->pending, counts->pending_count, counts->pending_capacity, track);
	return &counts->pending[track];
}

/* Whether the instant counts; without a window all of them do. */
static bool counts_contain(const struct wake_counts *counts, nsec_t t)
{
	return !counts->is_deferred || question_contains(counts->question, t);
}

/* Tasks are asked for as the woken one, or as the one that wakes. */
static bool counts_ask(const struct wake_counts *counts, const struct wake_source *source,
		       uint32_t woken)
{
	const struct question *question = counts->question;

	if (source->kind < CAUSE_KIND_COUNT ? !(question->asked->kinds & 1u << source->kind)
	                                    : question->asked->kinds != KIND_MASK_ALL)
		return false;
	return !question_has_filter(question) ||
	       (woken != TRACK_NONE && question_asks_track(question, woken)) ||
	       (source->task != TRACK_NONE && question_asks_track(question, source->task));
}

/* How a wake-up counts. */
struct tallying {
	nsec_t at;
	uint32_t cpu;   /* UINT32_MAX: the task has not run */
	uint32_t woken; /* track; TRACK_NONE: only the CPU was woken */
	bool is_exit;   /* it ended an idle period */
};

static void wake_tally_add(struct wake_tally *tally, const struct tallying *how)
{
	tally->count++;
	tally->idle_exits += how->is_exit;
}

static void counts_tally(struct wake_counts *counts, const struct wake_source *source,
			 const struct tallying *how)
{
	const struct timeline *timeline = counts->question->timeline;
	struct wake_source key = *source;
	struct source_row *row;
	struct source_cpu_row *on_cpu;
	struct woken_row *woken;

	if (!counts_contain(counts, how->at) || !counts_ask(counts, source, how->woken) ||
	    (how->cpu == UINT32_MAX ? counts->question->asked->cpus.count > 0
	                            : !question_asks_cpu(counts->question, how->cpu)))
		return;
	/* the wake-up of a CPU alone has no task, that of a task that did not run since no CPU */
	key.machine = how->woken == TRACK_NONE ? hosts_of_cpu(&timeline->hosts, how->cpu)
	                                       : timeline->track[how->woken].host;
	row = tally_row(&counts->sources, &key);
	if (!row)
		return;
	wake_tally_add(&row->tally, how);
	if (how->cpu != UINT32_MAX) {
		struct source_cpu_key at = {
			(uint32_t)tally_number(&counts->sources, row), how->cpu};

		on_cpu = tally_row(&counts->source_cpus, &at);
		if (on_cpu)
			wake_tally_add(&on_cpu->tally, how);
	}
	woken = how->woken == TRACK_NONE
	                ? NULL
	                : tally_row(&counts->woken, &(struct woken_key){how->woken});
	if (woken)
		wake_tally_add(&woken->tally, how);
}

static void stimuli_put(struct stimuli *stimuli, const struct wake_item *item)
{
	struct stimulus *at = &stimuli->at[stimuli->next];

	if (stimuli->count == STIMULI_MAX)
		stimuli->lost = nsec_max(stimuli->lost, at->begin);
	else
		stimuli->count++;
	*at = (struct stimulus){item->begin, item->end, item->source};
	stimuli->next = (stimuli->next + 1) % STIMULI_MAX;
}

static bool source_is_outer(const struct wake_source *source)
{
	return source->kind == CAUSE_IRQ || source->kind == CAUSE_IPI;
}

/* The first stimulus in [from, to), or the timer that it runs, which says more; NULL: none. */
static const struct wake_source *stimuli_first(const struct stimuli *stimuli, nsec_t from,
					       nsec_t to)
{
	const struct stimulus *first = NULL, *inner = NULL;

	if (!stimuli || stimuli->lost >= from)
		return NULL;
	for (uint32_t i = 0; i < stimuli->count; i++) {
		const struct stimulus *at = &stimuli->at[i];

		if (at->begin >= from && at->begin < to && (!first || at->begin < first->begin))
			first = at;
	}
	for (uint32_t i = 0; first && source_is_outer(&first->source) && i < stimuli->count; i++) {
		const struct stimulus *at = &stimuli->at[i];

		if (at->source.kind == CAUSE_TIMER && at->begin >= first->begin &&
		    at->end <= first->end && (!inner || at->begin < inner->begin))
			inner = at;
	}
	return inner ? &inner->source : first ? &first->source : NULL;
}

static void feed_stimulus(struct wake_counts *counts, const struct wake_item *item)
{
	struct woken_cpu *cpu = counts_cpu(counts, item->cpu);
	struct interrupt_key key = {
		.kind = item->source.kind,
		.number = item->source.number,
		.name = item->source.name,
		.machine = hosts_of_cpu(&counts->question->timeline->hosts, item->cpu),
	};
	struct interrupt_row *row = NULL;

	if (counts_contain(counts, item->begin) &&
	    counts->question->asked->kinds & 1u << item->source.kind &&
	    question_asks_cpu(counts->question, item->cpu))
		row = tally_row(&counts->interrupts, &key);
	if (row) {
		row->count++;
		row->while_idle += item->is_idle;
	}
	if (!item->is_idle)
		return;
	if (!cpu->stimuli)
		cpu->stimuli = xcalloc(1, sizeof(*cpu->stimuli));
	stimuli_put(cpu->stimuli, item);
}

/* The CPU left an idle state, and no task ran until `until`. */
static void cpu_settle_exit(struct wake_counts *counts, uint32_t number, nsec_t until)
{
	struct woken_cpu *cpu = counts_cpu(counts, number);
	const struct wake_source *source;

	if (!cpu->has_exit)
		return;
	cpu->has_exit = false;
	source = stimuli_first(cpu->stimuli, cpu->entered, until);
	counts_tally(counts, source ? source : &source_unknown,
		     &(struct tallying){cpu->left, number, TRACK_NONE, /* is_exit= */ true});
}

/* An idle period ended with a switch, but the run that follows was not seen. */
static void cpu_settle_switch(struct wake_counts *counts, uint32_t number)
{
	struct woken_cpu *cpu = counts_cpu(counts, number);

	if (cpu->is_switching && cpu->is_exit)
		counts_tally(counts, &source_unknown,
			     &(struct tallying){cpu->ended, number, TRACK_NONE, true});
	cpu->is_switching = false;
}

static void feed_stay(struct wake_counts *counts, const struct wake_item *item)
{
	struct woken_cpu *cpu = counts_cpu(counts, item->cpu);
	struct state_row *row = NULL;

	cpu->has_states = true;
	cpu_settle_exit(counts, item->cpu, item->begin);
	if (item->is_open)
		return;
	cpu->has_exit = true;
	cpu->entered = item->begin;
	cpu->left = item->end;
	if (!counts_contain(counts, item->end) ||
	    !question_asks_cpu(counts->question, item->cpu))
		return;
	cpu->idle_exits++;
	row = tally_row(&counts->states, &(struct state_key){item->cpu, item->state});
	if (row)
		distribution_add(&row->stay, item->end - item->begin, item->begin);
}

static void feed_switched(struct wake_counts *counts, const struct wake_item *item)
{
	struct woken_cpu *cpu = counts_cpu(counts, item->cpu);
	nsec_t begin = item->begin, end = item->end;

	cpu_settle_switch(counts, item->cpu);
	if (!counts->is_deferred || question_clip(counts->question, &begin, &end))
		cpu->idle += end - begin;
	if (item->is_open)
		return;
	cpu->is_switching = true;
	cpu->idled = item->begin;
	cpu->switched = item->end;
	cpu->is_exit = cpu->has_exit || !cpu->has_states;
	cpu->idle_exits += !cpu->has_states && counts_contain(counts, item->end);
	/* one that left a state counts at that time, as in feed_stay() */
	cpu->ended = cpu->has_exit ? cpu->left : item->end;
	cpu->has_exit = false;
	if (cpu->stimuli)
		*cpu->stimuli = (struct stimuli){0};
}

/* A wake-up of a task that has not run since. */
static void pending_flush(struct wake_counts *counts, uint32_t track)
{
	struct pending_source *pending = &counts->pending[track];

	if (pending->is_set)
		counts_tally(counts, &pending->source,
			     &(struct tallying){pending->woken, UINT32_MAX, track, false});
	pending->is_set = false;
}

static void feed_ran(struct wake_counts *counts, const struct wake_item *item)
{
	struct pending_source *pending = counts_pending(counts, item->track);
	struct woken_cpu *cpu = counts_cpu(counts, item->cpu);
	struct tallying how = {.at = pending->woken, .cpu = item->cpu, .woken = item->track};
	struct wake_source source = pending->source;

	/* where the switch was not recorded the run begins before the idle period's end */
	if (cpu->is_switching && item->begin >= cpu->idled && item->begin <= cpu->switched) {
		cpu->is_switching = false;
		how.is_exit = cpu->is_exit;
	}
	if (!pending->is_set && !how.is_exit)
		return;
	if (!pending->is_set) {
		source = (struct wake_source){.kind = SOURCE_QUEUED, .task = TRACK_NONE};
		how.woken = TRACK_NONE;
	}
	if (how.is_exit)
		how.at = cpu->ended; /* as the CPU's own sum has it */
	pending->is_set = false;
	counts_tally(counts, &source, &how);
}

static void counts_feed(struct wake_counts *counts, const struct wake_item *item)
{
	switch ((enum item_kind)item->kind) {
	case ITEM_WOKEN:
		(void)counts_pending(counts, item->track);
		pending_flush(counts, item->track);
		counts->pending[item->track] =
			(struct pending_source){item->source, item->begin, true};
		break;
	case ITEM_RAN:
		feed_ran(counts, item);
		break;
	case ITEM_SWITCHED:
		feed_switched(counts, item);
		break;
	case ITEM_STAY:
		feed_stay(counts, item);
		break;
	case ITEM_STIMULUS:
		feed_stimulus(counts, item);
		break;
	}
}

static void counts_put(struct wake_counts *counts, const struct wake_item *item)
{
	if (!counts->is_deferred) {
		counts_feed(counts, item);
		return;
	}
	if (!question_may_touch(counts->question, item->begin, item->end))
		return;
	ARRAY_ADD(counts->kept, counts->kept_count, counts->kept_capacity) = *item;
}

static struct wake_source source_of(const struct cause_note *cause, uint32_t woken)
{
	struct wake_source source = source_unknown;
	unsigned shown_by;

	if (!cause)
		return source;
	shown_by = cause_kinds[cause->kind].source;
	source.kind = cause->kind;
	source.name = shown_by & SOURCE_NAME ? cause->name : 0;
	if (shown_by & (SOURCE_WAKER | SOURCE_ORIGINATOR))
		source.task = shown_by & SOURCE_WAKER ? cause->waker : cause->originator;
	if (cause->kind == CAUSE_IRQ)
		source.number = cause->as.irq.number;
	else if (cause->kind == CAUSE_SOFTIRQ)
		source.number = cause->as.softirq.vector;
	else if (cause->kind == CAUSE_DISK)
		source.number = (int32_t)cause->as.disk.dev;
	if (!cause_note_is_own_timer(cause))
		return source;
	source.task = woken;
	source.call = cause->as.timer.call;
	source.is_own = true;
	return source;
}

void wake_counts_add_span(void *state, const struct span *span)
{
	struct wake_counts *counts = state;
	const struct track *track = &counts->question->timeline->track[span->track];
	struct wake_item item = {
		.begin = span->begin,
		.end = span->end,
		.track = span->track,
		.cpu = span->cpu,
	};

	if (track->is_idle)
		return;
	if (span->kind == SEGMENT_RUN) {
		item.kind = ITEM_RAN;
	} else if (span->kind == SEGMENT_RUNNABLE && span->detail == RUNNABLE_NEW) {
		item.kind = ITEM_WOKEN;
		item.end = span->begin;
		item.source = (struct wake_source){
			.kind = CAUSE_FORK,
			.task = track_creator(track),
		};
	} else if ((span->kind == SEGMENT_WAIT || span->kind == SEGMENT_STOPPED) &&
		   !span->is_open) {
		item.kind = ITEM_WOKEN;
		item.begin = span->end;
		item.source = source_of(span->cause, span->track);
	} else {
		return;
	}
	counts_put(counts, &item);
}

/* Whether a task that the interrupt did not interrupt does what it stands for. */
static bool interval_is_threaded(const struct interval *interval)
{
	return interval->kind == INTERVAL_SOFTIRQ && interval->irq.is_threaded;
}

static struct wake_item item_of_stimulus(const struct wake_counts *counts,
					 const struct interval *interval)
{
	bool is_timer = interval->kind == INTERVAL_TIMER;
	uint32_t current = is_timer ? interval->other : interval->task;

	return (struct wake_item){
		.begin = interval_started(interval),
		.end = interval->end,
		.cpu = interval->cpu & 0xffff,
		.kind = ITEM_STIMULUS,
		.is_idle = current != TRACK_NONE &&
		           counts->question->timeline->track[current].is_idle,
		.source = {
			.kind = is_timer                            ? CAUSE_TIMER
			        : interval->kind == INTERVAL_IRQ     ? CAUSE_IRQ
			        : interval->kind == INTERVAL_SOFTIRQ ? CAUSE_SOFTIRQ
			                                             : CAUSE_IPI,
			.number = is_timer ? 0 : interval->irq.number,
			.name = is_timer ? interval->timer.function : interval->irq.name,
			.task = is_timer ? interval->task : TRACK_NONE,
		},
	};
}

void wake_counts_add_interval(void *state, const struct interval *interval)
{
	struct wake_counts *counts = state;
	const struct timeline *timeline = counts->question->timeline;
	struct wake_item item = {
		.begin = interval->begin,
		.end = interval->end,
		.cpu = interval->cpu & 0xffff,
		.is_open = interval->is_open,
	};

	if (interval->kind == INTERVAL_CPU) {
		if (interval->task == TRACK_NONE || !timeline->track[interval->task].is_idle)
			return;
		item.kind = ITEM_SWITCHED;
	} else if (interval->kind == INTERVAL_IDLE) {
		item.kind = ITEM_STAY;
		item.state = interval->idle.state;
	} else {
		if (interval->is_open || interval_is_threaded(interval))
			return;
		item = item_of_stimulus(counts, interval);
	}
	counts_put(counts, &item);
}

void wake_counts_resolve(void *state)
{
	struct wake_counts *counts = state;

	for (size_t i = 0; i < counts->kept_count; i++)
		counts_feed(counts, &counts->kept[i]);
	free(counts->kept);
	counts->kept = NULL;
	counts->kept_count = counts->kept_capacity = 0;
	for (uint32_t track = 0; track < counts->pending_count; track++)
		pending_flush(counts, track);
	for (uint32_t cpu = 0; cpu < counts->cpu_count; cpu++) {
		cpu_settle_exit(counts, cpu, NSEC_NEVER);
		cpu_settle_switch(counts, cpu);
	}
}

void wake_counts_init(void *state)
{
	struct wake_counts *counts = state;

	counts->is_deferred = question_may_be_windowed(counts->question) ||
	                      question_has_filter(counts->question);
	tally_init(&counts->sources, sizeof(struct source_row), sizeof(struct wake_source),
	           ROWS_MAX);
	tally_init(&counts->source_cpus, sizeof(struct source_cpu_row),
	           sizeof(struct source_cpu_key), ROWS_MAX);
	tally_init(&counts->woken, sizeof(struct woken_row), sizeof(struct woken_key), ROWS_MAX);
	tally_init(&counts->interrupts, sizeof(struct interrupt_row), sizeof(struct interrupt_key),
	           ROWS_MAX);
	tally_init(&counts->states, sizeof(struct state_row), sizeof(struct state_key), ROWS_MAX);
}

void wake_counts_release(void *state)
{
	struct wake_counts *counts = state;

	for (size_t i = 0; i < counts->cpu_count; i++)
		free(counts->cpu[i].stimuli);
	tally_release(&counts->sources);
	tally_release(&counts->source_cpus);
	tally_release(&counts->woken);
	tally_release(&counts->interrupts);
	relation_release(&counts->states, &state_form);
	free(counts->cpu);
	free(counts->pending);
	free(counts->kept);
}
