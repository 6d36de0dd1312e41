/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink_queue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A span or an interval, with what it points to. */
struct sink_entry {
	bool is_span;
	union {
		struct {
			struct span span;
			struct cause_note cause;
			struct sleep_place place;
		};
		struct {
			struct interval interval;
			void *borrowed; /* owned: what the interval points to; NULL: nothing */
		};
	};
};

struct sink_queue {
	uint64_t held_from;       /* machine->spans_ended when holding began */
	struct sink_entry *entry; /* in order */
	uint64_t *number;         /* of each entry: machine->spans_ended when it came */
	size_t first, count, capacity; /* entries before `first` are delivered */
};

struct sink_queue *sink_queue_new(void)
{
	return xcalloc(1, sizeof(struct sink_queue));
}

struct sink_queue *sink_queue_free(struct sink_queue *queue)
{
	if (!queue)
		return NULL;
	for (size_t i = queue->first; i < queue->count; i++)
		if (!queue->entry[i].is_span)
			free(queue->entry[i].borrowed);
	free(queue->entry);
	free(queue->number);
	free(queue);
	return NULL;
}

bool sink_queue_may_correct(const struct machine *machine, uint64_t number)
{
	return machine->now < machine->queued_until && number >= machine->sink_queue->held_from &&
	       machine->spans_ended - number < SINK_QUEUE_SPANS_MAX;
}

static void sinks_emit_span(const struct machine *machine, const struct span *span, bool is_prompt)
{
	for (size_t i = 0; i < machine->setup.sink_count; i++) {
		const struct span_sink *sink = &machine->setup.sinks[i];

		if (sink->is_prompt == is_prompt)
			sink->on_span(sink->state, span);
	}
}

static void sinks_emit_interval(const struct machine *machine, const struct interval *interval,
                                bool is_prompt)
{
	for (size_t i = 0; i < machine->setup.interval_sink_count; i++) {
		const struct interval_sink *sink = &machine->setup.interval_sinks[i];

		if (sink->is_prompt == is_prompt && sink->kinds & INTERVAL_MASK(interval->kind))
			sink->on_interval(sink->state, interval);
	}
}

static void entry_emit(const struct machine *machine, const struct sink_entry *entry)
{
	struct span span;

	if (!entry->is_span) {
		sinks_emit_interval(machine, &entry->interval, /* is_prompt= */ false);
		return;
	}
	span = entry->span;
	span.cause = span.cause ? &entry->cause : NULL;
	span.place = span.place ? &entry->place : NULL;
	sinks_emit_span(machine, &span, /* is_prompt= */ false);
}

/* Hands the first entry to the sinks and frees it; the caller steps on. */
static void queue_emit_first(const struct machine *machine, struct sink_queue *queue)
{
	const struct sink_entry *entry = &queue->entry[queue->first];

	entry_emit(machine, entry);
	if (!entry->is_span)
		free(entry->borrowed);
}

/* Delivers all entries that are too old to be corrected. */
static void queue_emit_old(struct machine *machine)
{
	struct sink_queue *queue = machine->sink_queue;

	for (; queue->first < queue->count &&
	       machine->spans_ended - queue->number[queue->first] >= SINK_QUEUE_SPANS_MAX;
	     queue->first++)
		queue_emit_first(machine, queue);
	if (queue->first < queue->count / 2)
		return;
	queue->count -= queue->first;
	memmove(queue->entry, queue->entry + queue->first, queue->count * sizeof(*queue->entry));
	memmove(queue->number, queue->number + queue->first,
	        queue->count * sizeof(*queue->number));
	queue->first = 0;
}

void sink_queue_flush(struct machine *machine)
{
	struct sink_queue *queue = machine->sink_queue;

	machine->queued_until = 0;
	for (; queue->first < queue->count; queue->first++)
		queue_emit_first(machine, queue);
	queue->first = queue->count = 0;
}

void sink_queue_hold(struct machine *machine, nsec_t until)
{
	if (machine->now >= machine->queued_until) {
		sink_queue_flush(machine);
		machine->sink_queue->held_from = machine->spans_ended;
	}
	machine->queued_until = nsec_max(machine->queued_until, until);
}

/* Whether a new entry has to wait; delivers those that need not wait any more. */
static bool queue_is_held(struct machine *machine)
{
	struct sink_queue *queue = machine->sink_queue;

	if (machine->queued_until == 0)
		return false;
	if (machine->now < machine->queued_until &&
	    queue->count - queue->first < SINK_QUEUE_ENTRIES_MAX) {
		if (queue->count &&
		    machine->spans_ended - queue->number[queue->first] >= SINK_QUEUE_SPANS_MAX * 2)
			queue_emit_old(machine);
		return true;
	}
	sink_queue_flush(machine);
	return false;
}

/* Makes room for one more entry at that place. */
static struct sink_entry *queue_insert(struct sink_queue *queue, size_t at, uint64_t number)
{
	if (queue->count == queue->capacity) {
		queue->capacity = queue->capacity ? queue->capacity * 2 : 1024;
		queue->entry = xreallocarray(queue->entry, queue->capacity, sizeof(*queue->entry));
		queue->number =
			xreallocarray(queue->number, queue->capacity, sizeof(*queue->number));
	}
	memmove(queue->entry + at + 1, queue->entry + at,
	        (queue->count - at) * sizeof(*queue->entry));
	memmove(queue->number + at + 1, queue->number + at,
	        (queue->count - at) * sizeof(*queue->number));
	queue->count++;
	queue->number[at] = number;
	return &queue->entry[at];
}

static void entry_set_span(struct sink_entry *entry, const struct span *span)
{
	entry->is_span = true;
	entry->span = *span;
	if (span->cause)
		entry->cause = *span->cause;
	if (span->place)
		entry->place = *span->place;
}

void sink_queue_put_span(struct machine *machine, const struct span *span)
{
	struct sink_queue *queue = machine->sink_queue;

	sinks_emit_span(machine, span, /* is_prompt= */ true);
	if (!queue_is_held(machine))
		sinks_emit_span(machine, span, /* is_prompt= */ false);
	else
		entry_set_span(queue_insert(queue, queue->count, machine->spans_ended), span);
}

static void entry_set_interval(struct sink_entry *entry, const struct interval *interval)
{
	entry->is_span = false;
	entry->interval = *interval;
	entry->borrowed = NULL;
	if (interval->kind == INTERVAL_SYSCALL) {
		size_t bytes = CAUSE_KIND_COUNT * sizeof(*interval->syscall.waiting);

		entry->borrowed = xmalloc(bytes);
		memcpy(entry->borrowed, interval->syscall.waiting, bytes);
		entry->interval.syscall.waiting = entry->borrowed;
	} else if (interval->kind == INTERVAL_MARK) {
		entry->borrowed = xmalloc(interval->mark.text.length + 1);
		memcpy(entry->borrowed, interval->mark.text.at, interval->mark.text.length);
		entry->interval.mark.text.at = entry->borrowed;
	}
}

void sink_queue_put_interval(struct machine *machine, const struct interval *interval)
{
	struct sink_queue *queue = machine->sink_queue;

	sinks_emit_interval(machine, interval, /* is_prompt= */ true);
	if (!queue_is_held(machine))
		sinks_emit_interval(machine, interval, /* is_prompt= */ false);
	else
		entry_set_interval(queue_insert(queue, queue->count, machine->spans_ended),
		                   interval);
}

/* The first entry that came when that many spans had ended, or later. */
static size_t queue_from(const struct sink_queue *queue, uint64_t number)
{
	return queue->first + array_lower_bound_u64(queue->number + queue->first,
	                                            queue->count - queue->first,
	                                            sizeof(*queue->number), number);
}

/* The entry that is to be corrected; `count` if it was delivered already. */
static size_t queue_find(const struct sink_queue *queue, uint32_t track, uint64_t number,
                         nsec_t begin, nsec_t end)
{
	size_t at = queue_from(queue, number);

	for (; at < queue->count; at++) {
		const struct span *span = &queue->entry[at].span;

		if (queue->entry[at].is_span && span->track == track && !span->cause &&
		    span->kind == SEGMENT_RUNNABLE && span->begin <= begin && end <= span->end)
			break;
	}
	return at;
}

void sink_queue_correct(struct machine *machine, uint32_t track, uint64_t number, nsec_t begin,
                        nsec_t end, const struct cause_note *cause)
{
	struct sink_queue *queue = machine->sink_queue;
	size_t at = queue_find(queue, track, number, begin, end);
	struct span span;

	timeline_correct(machine->timeline, track, begin, end, cause);
	if (at == queue->count)
		return;
	span = queue->entry[at].span;
	if (end < span.end) {
		struct span rest = span;

		rest.begin = end;
		rest.detail = RUNNABLE_UNTHROTTLED;
		entry_set_span(queue_insert(queue, at + 1, queue->number[at]), &rest);
	}
	if (span.begin < begin) {
		struct span before = span;

		before.end = begin;
		entry_set_span(queue_insert(queue, at, queue->number[at]), &before);
		at++;
	}
	span.begin = begin;
	span.end = end;
	span.cause = cause;
	entry_set_span(&queue->entry[at], &span);
}

/* Kinds bound to one CPU, which end at its losses; others may have gone on where events were
   lost. */
#define KINDS_OF_A_CPU                                                                        \
	(INTERVAL_MASK(INTERVAL_IRQ) | INTERVAL_MASK(INTERVAL_SOFTIRQ) |                      \
	 INTERVAL_MASK(INTERVAL_IPI) | INTERVAL_MASK(INTERVAL_TIMER) |                        \
	 INTERVAL_MASK(INTERVAL_CPU) | INTERVAL_MASK(INTERVAL_IDLE))

void machine_emit_interval(struct machine *machine, struct interval *interval)
{
	uint32_t mask = INTERVAL_MASK(interval->kind);
	nsec_t last = 0;

	if (!(machine->interval_kinds & mask))
		return;
	for (size_t i = PHASE_COUNT; i-- > 0;)
		if (interval->phase[i] != NSEC_NEVER)
			interval->begin = interval->phase[i];
	for (size_t i = 0; i < PHASE_COUNT; i++) {
		if (interval->phase[i] == NSEC_NEVER)
			continue;
		assert(interval->phase[i] >= last);
		last = interval->phase[i];
	}
	assert(machine->begin <= interval->begin && last <= interval->end &&
	       interval->begin <= interval->end);
	interval->is_doubtful = !(mask & KINDS_OF_A_CPU) && interval->begin < machine->gap_end;
	if (machine->queued_until) {
		sink_queue_put_interval(machine, interval);
		return;
	}
	for (size_t i = 0; i < machine->setup.interval_sink_count; i++) {
		const struct interval_sink *sink = &machine->setup.interval_sinks[i];

		if (sink->kinds & mask)
			sink->on_interval(sink->state, interval);
	}
}
