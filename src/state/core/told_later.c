/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "told_later.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* A span or an interval, with what it points to. */
struct told {
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

struct told_later {
	uint64_t held_from; /* machine->spans_ended when holding began */
	struct told *told;  /* in order */
	uint64_t *number;   /* of each entry: machine->spans_ended when it came */
	size_t first, count, capacity; /* entries before `first` are delivered */
};

struct told_later *told_later_new(void)
{
	return xcalloc(1, sizeof(struct told_later));
}

struct told_later *told_later_free(struct told_later *later)
{
	if (!later)
		return NULL;
	for (size_t i = later->first; i < later->count; i++)
		if (!later->told[i].is_span)
			free(later->told[i].borrowed);
	free(later->told);
	free(later->number);
	free(later);
	return NULL;
}

bool told_later_may_correct(const struct machine *machine, uint64_t number)
{
	return machine->now < machine->told_until && number >= machine->later->held_from &&
	       machine->spans_ended - number < TOLD_LATER_MAX;
}

static void sinks_tell_span(const struct machine *machine, const struct span *span, bool is_prompt)
{
	const struct span_sink *sink = machine->setup.sinks;
	const struct span_sink *end = sink + machine->setup.sink_count;

	for (; sink < end; sink++)
		if (sink->is_prompt == is_prompt)
			sink->on_span(sink->state, span);
}

static void sinks_tell_interval(const struct machine *machine, const struct interval *interval,
                                bool is_prompt)
{
	for (size_t i = 0; i < machine->setup.interval_sink_count; i++) {
		const struct interval_sink *sink = &machine->setup.interval_sinks[i];

		if (sink->is_prompt == is_prompt && sink->kinds & INTERVAL_MASK(interval->kind))
			sink->on_interval(sink->state, interval);
	}
}

static void told_tell(const struct machine *machine, const struct told *told)
{
	struct span span;

	if (!told->is_span) {
		sinks_tell_interval(machine, &told->interval, /* is_prompt= */ false);
		return;
	}
	span = told->span;
	span.cause = span.cause ? &told->cause : NULL;
	span.place = span.place ? &told->place : NULL;
	sinks_tell_span(machine, &span, /* is_prompt= */ false);
}

/* Hands the first entry to the sinks and frees it; the caller steps on. */
static void later_tell_first(const struct machine *machine, struct told_later *later)
{
	const struct told *told = &later->told[later->first];

	told_tell(machine, told);
	if (!told->is_span)
		free(told->borrowed);
}

/* Delivers all entries that are too old to be corrected. */
static void later_tell_old(struct machine *machine)
{
	struct told_later *later = machine->later;

	for (; later->first < later->count &&
	       machine->spans_ended - later->number[later->first] >= TOLD_LATER_MAX;
	     later->first++)
		later_tell_first(machine, later);
	if (later->first < later->count / 2)
		return;
	later->count -= later->first;
	memmove(later->told, later->told + later->first, later->count * sizeof(*later->told));
	memmove(later->number, later->number + later->first,
	        later->count * sizeof(*later->number));
	later->first = 0;
}

void told_later_flush(struct machine *machine)
{
	struct told_later *later = machine->later;

	machine->told_until = 0;
	for (; later->first < later->count; later->first++)
		later_tell_first(machine, later);
	later->first = later->count = 0;
}

void told_later_hold(struct machine *machine, nsec_t until)
{
	if (machine->now >= machine->told_until) {
		told_later_flush(machine);
		machine->later->held_from = machine->spans_ended;
	}
	machine->told_until = nsec_max(machine->told_until, until);
}

/* Whether a new entry has to wait; delivers those that need not wait any more. */
static bool later_is_held(struct machine *machine)
{
	struct told_later *later = machine->later;

	if (machine->told_until == 0)
		return false;
	if (machine->now < machine->told_until &&
	    later->count - later->first < TOLD_LATER_ENTRIES_MAX) {
		if (later->count &&
		    machine->spans_ended - later->number[later->first] >= TOLD_LATER_MAX * 2)
			later_tell_old(machine);
		return true;
	}
	told_later_flush(machine);
	return false;
}

/* Makes room for one more entry at that place. */
static struct told *later_insert(struct told_later *later, size_t at, uint64_t number)
{
	if (later->count == later->capacity) {
		later->capacity = later->capacity ? later->capacity * 2 : 1024;
		later->told = xreallocarray(later->told, later->capacity, sizeof(*later->told));
		later->number =
			xreallocarray(later->number, later->capacity, sizeof(*later->number));
	}
	memmove(later->told + at + 1, later->told + at, (later->count - at) * sizeof(*later->told));
	memmove(later->number + at + 1, later->number + at,
	        (later->count - at) * sizeof(*later->number));
	later->count++;
	later->number[at] = number;
	return &later->told[at];
}

static void told_set_span(struct told *told, const struct span *span)
{
	told->is_span = true;
	told->span = *span;
	if (span->cause)
		told->cause = *span->cause;
	if (span->place)
		told->place = *span->place;
}

void told_later_span(struct machine *machine, const struct span *span)
{
	struct told_later *later = machine->later;

	sinks_tell_span(machine, span, /* is_prompt= */ true);
	if (!later_is_held(machine))
		sinks_tell_span(machine, span, /* is_prompt= */ false);
	else
		told_set_span(later_insert(later, later->count, machine->spans_ended), span);
}

static void told_set_interval(struct told *told, const struct interval *interval)
{
	told->is_span = false;
	told->interval = *interval;
	told->borrowed = NULL;
	if (interval->kind == INTERVAL_SYSCALL) {
		size_t bytes = CAUSE_KIND_COUNT * sizeof(*interval->syscall.waiting);

		told->borrowed = xmalloc(bytes);
		memcpy(told->borrowed, interval->syscall.waiting, bytes);
		told->interval.syscall.waiting = told->borrowed;
	} else if (interval->kind == INTERVAL_MARK) {
		told->borrowed = xmalloc(interval->mark.text.length + 1);
		memcpy(told->borrowed, interval->mark.text.at, interval->mark.text.length);
		told->interval.mark.text.at = told->borrowed;
	}
}

void told_later_interval(struct machine *machine, const struct interval *interval)
{
	struct told_later *later = machine->later;

	sinks_tell_interval(machine, interval, /* is_prompt= */ true);
	if (!later_is_held(machine))
		sinks_tell_interval(machine, interval, /* is_prompt= */ false);
	else
		told_set_interval(later_insert(later, later->count, machine->spans_ended),
		                  interval);
}

/* The first entry that came when that many spans had ended, or later. */
static size_t later_from(const struct told_later *later, uint64_t number)
{
	return later->first + array_lower_bound_u64(later->number + later->first,
	                                            later->count - later->first,
	                                            sizeof(*later->number), number);
}

/* The entry that is to be corrected; `count` if it was delivered already. */
static size_t later_find(const struct told_later *later, uint32_t line, uint64_t number,
                         nsec_t begin, nsec_t end)
{
	size_t at = later_from(later, number);

	for (; at < later->count; at++) {
		const struct span *span = &later->told[at].span;

		if (later->told[at].is_span && span->line == line && !span->cause &&
		    span->kind == SEGMENT_RUNNABLE && span->begin <= begin && end <= span->end)
			break;
	}
	return at;
}

void told_later_correct(struct machine *machine, uint32_t line, uint64_t number, nsec_t begin,
                        nsec_t end, const struct cause_note *cause)
{
	struct told_later *later = machine->later;
	size_t at = later_find(later, line, number, begin, end);
	struct span span;

	timeline_correct(machine->timeline, line, begin, end, cause);
	if (at == later->count)
		return;
	span = later->told[at].span;
	if (end < span.end) {
		struct span rest = span;

		rest.begin = end;
		rest.detail = RUNNABLE_UNTHROTTLED;
		told_set_span(later_insert(later, at + 1, later->number[at]), &rest);
	}
	if (span.begin < begin) {
		struct span before = span;

		before.end = begin;
		told_set_span(later_insert(later, at, later->number[at]), &before);
		at++;
	}
	span.begin = begin;
	span.end = end;
	span.cause = cause;
	told_set_span(&later->told[at], &span);
}
