/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "summary_times.h"

#include "analysis/machine_time.h"
#include "base/xalloc.h"
#include "graph/held_up.h"

static void longest_set(struct longest_wait *longest, const struct span *span, nsec_t begin,
                        nsec_t length)
{
	longest->length = length;
	longest->begin = begin;
	longest->track = span->track;
	longest->is_open = span->is_open;
	longest->is_stop = span->kind == SEGMENT_STOPPED;
	longest->is_traced = longest->is_stop && span->detail == 't';
	longest->frames = span_frames(span);
	longest->has_cause = span->cause != NULL;
	if (!span->cause)
		return;
	if (!longest->cause)
		longest->cause = xmalloc(sizeof(*longest->cause));
	*longest->cause = *span->cause;
}

/* Notes the longest length; a length of 0 counts if there is no longer one. */
static void times_note_length(struct times *times, nsec_t begin, nsec_t length)
{
	if (times->has_longest && length <= times->longest)
		return;
	times->has_longest = true;
	times->longest = length;
	times->longest_at = begin;
}

static void times_add_wait(struct times *times, const struct timeline *timeline,
                           const struct span *span, nsec_t begin, nsec_t length)
{
	enum cause_kind kind = span->cause ? (enum cause_kind)span->cause->kind : CAUSE_UNKNOWN;

	times->waiting += length;
	times->by_kind[kind] += length;
	times->waits++;
	if (times->lengths)
		distribution_add(times->lengths, length, begin);
	times_note_length(times, begin, length);
	if (length > times->held_up.length &&
	    !wait_is_chosen(span->detail, span->is_open, span->cause))
		longest_set(&times->held_up, span, begin, length);
	if (span->detail & WAIT_FOR_WORK)
		times->for_work += length;
	if (span_is_ended_by_work_of_others(timeline, span))
		times->by_others_work += length;
	if (span->is_open)
		times->open += length;
	if (span->is_open && kind == CAUSE_UNKNOWN)
		times->open_unknown += length;
}

void times_begin_lengths(struct times *times)
{
	if (!times->lengths)
		times->lengths = xcalloc(1, sizeof(*times->lengths));
}

void times_add_other(struct times *times, const struct timeline *timeline, const struct span *span,
                     nsec_t begin, nsec_t length)
{
	switch (span->kind) {
	case SEGMENT_RUNNABLE: /* held back by a limit */
		times->runnable += length;
		times->throttled += length;
		times->limited[span->cause->as.throttled.limit] += length;
		break;
	case SEGMENT_WAIT:
		times_add_wait(times, timeline, span, begin, length);
		break;
	case SEGMENT_STOPPED:
		times->stopped += length;
		times_note_length(times, begin, length);
		if (length > times->held_up.length)
			longest_set(&times->held_up, span, begin, length);
		break;
	case SEGMENT_UNKNOWN:
		times->unknown += length;
		break;
	case SEGMENT_RUN:
	case SEGMENT_NEW:
	case SEGMENT_DEAD:
		break;
	}
}

void times_set_memory(struct times *times, const struct question *question)
{
	struct track *track = &question->timeline->track[times->track];
	const struct resolved *resolved = question->resolved;

	if (resolved->is_windowed)
		track_memory_within(track, resolved->begin, resolved->end, &times->memory);
	else if (track->memory)
		times->memory = track->memory->outer;
}

void times_sum(struct times *total, const struct times *times)
{
	if (times->has_longest)
		times_note_length(total, times->longest_at, times->longest);
	if (times->held_up.length > total->held_up.length)
		total->held_up = times->held_up;
	if (times->lengths) {
		times_begin_lengths(total);
		distribution_merge(total->lengths, times->lengths);
	}
	total->time += times->time;
	total->running += times->running;
	total->runnable += times->runnable;
	total->preempted += times->preempted;
	total->given_away += times->given_away;
	total->gave_away += times->gave_away;
	total->throttled += times->throttled;
	for (size_t limit = 0; limit < CPU_LIMIT_COUNT; limit++)
		total->limited[limit] += times->limited[limit];
	total->waiting += times->waiting;
	total->stopped += times->stopped;
	total->unknown += times->unknown;
	total->switches += times->switches;
	total->waits += times->waits;
	for (size_t kind = 0; kind < CAUSE_KIND_COUNT; kind++)
		total->by_kind[kind] += times->by_kind[kind];
	total->open += times->open;
	total->open_unknown += times->open_unknown;
	total->for_work += times->for_work;
	memory_total_add(&total->memory, &times->memory);
}

double summary_tasks_wanting(const struct summary *summary, uint32_t machine)
{
	const struct question *question = summary->question;
	nsec_t wanted = 0;

	for (size_t i = 0; i < summary->count; i++)
		if (question->timeline->track[i].host == machine)
			wanted += summary->by_track[i].running + summary->by_track[i].runnable;
	return nsec_ratio(wanted, machine_time(question, machine));
}
