/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "speedup.h"

#include <assert.h>
#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "graph/aims/aim.h"
#include "graph/aims/awaited.h"
#include "graph/timeline/timeline_tasks.h"

/* A sleep of which it is known what it was for. */
static enum own_sleep sleep_for(const struct cause_note *note)
{
	return note && note->kind == CAUSE_NET ? OWN_SLEEP_NET : OWN_SLEEP_POLLS;
}

enum own_sleep own_sleep_of(const struct timeline *timeline, uint32_t index, size_t at)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	const struct cause_note *note = segment_cause(timeline, segment), *request;
	struct awaited awaited;

	if (segment->kind != SEGMENT_WAIT || timeline_is_open(track, at) || !note ||
	    !cause_note_is_own_timer(note))
		return OWN_SLEEP_NONE;
	if (timeline_awaited(timeline, index, at, &awaited))
		return awaited.is_for_work ? OWN_SLEEP_LIMIT : sleep_for(awaited.cause);
	request = timeline_request(timeline, note);
	if (request)
		return sleep_for(request);
	if (!cause_note_is_sleep(note))
		return timeline_aim_kind(timeline, index, at, &request) == AIM_ANSWER
		               ? OWN_SLEEP_NET : OWN_SLEEP_LIMIT;
	return segment->timeout == TIMEOUT_NONE || segment->timeout == TIMEOUT_RELATIVE
	               ? OWN_SLEEP : OWN_SLEEP_UNTIL;
}

bool track_polls(const struct timeline *timeline, uint32_t index)
{
	const struct series_log *logs = timeline->track[index].series;

	if (!logs)
		return false;
	EACH_OF(logs[SERIES_OF_POLLS].series, logs[SERIES_OF_POLLS].count,
	        const struct sleep_series, poll)
		if (poll_ended_by(poll, timeline) != TRACK_NONE)
			return true;
	return false;
}

static void stretch_add(struct speedup *speedup, uint32_t of, nsec_t begin, nsec_t end)
{
	if (begin >= end)
		return;
	ARRAY_GROW(speedup->stretch, speedup->stretch_count, speedup->stretch_capacity);
	speedup->stretch[speedup->stretch_count++] = (struct changed_stretch){of, begin, end};
}

static int stretch_compare(const void *a, const void *b)
{
	const struct changed_stretch *x = a, *y = b;

	return ORDER_BY(RISING(x, y, of), RISING(x, y, begin), RISING(x, y, end));
}

/* Of locks that a task has at once, each instant counts once. */
static void stretches_settle(struct speedup *speedup)
{
	size_t kept = 0;

	if (speedup->stretch_count)
		qsort(speedup->stretch, speedup->stretch_count, sizeof(*speedup->stretch),
		      stretch_compare);
	for (size_t i = 0; i < speedup->stretch_count; i++) {
		struct changed_stretch next = speedup->stretch[i];
		const struct changed_stretch *last = kept ? &speedup->stretch[kept - 1] : NULL;

		if (last && last->of == next.of)
			next.begin = nsec_max(next.begin, last->end);
		if (next.begin < next.end)
			speedup->stretch[kept++] = next;
	}
	speedup->stretch_count = kept;
}

/* The first stretch of it that ends after t; the count, if there is none of it. */
static size_t stretch_after(const struct speedup *speedup, uint32_t of, nsec_t t)
{
	size_t low = 0, high = speedup->stretch_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct changed_stretch *at = &speedup->stretch[middle];

		if (at->of < of || (at->of == of && at->end <= t))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static nsec_t stretches_within(const struct speedup *speedup, uint32_t of, nsec_t begin, nsec_t end)
{
	nsec_t sum = 0;

	for (size_t i = stretch_after(speedup, of, begin);
	     i < speedup->stretch_count && speedup->stretch[i].of == of &&
	     speedup->stretch[i].begin < end; i++)
		sum += nsec_min(speedup->stretch[i].end, end) -
		       nsec_max(speedup->stretch[i].begin, begin);
	return sum;
}

static bool name_fits(const struct speedup *speedup, uint32_t name)
{
	const struct timeline *timeline = speedup->timeline;

	return what_if_spec_fits(speedup->spec, intern_text(&timeline->names, name)) ||
	       what_if_spec_fits(speedup->spec, timeline_own_name(timeline, name));
}

/* Whether the spec names the track as it was called then: before it executes a program, a task is
   called as its parent. */
static bool is_named_at(const struct speedup *speedup, uint32_t index, nsec_t t)
{
	const struct track *track = &speedup->timeline->track[index];

	assert(speedup->is_named);
	return speedup->is_named[index] &&
	       (track->name_count < 2 || name_fits(speedup, timeline_name_at(track, t)));
}

nsec_t speedup_within(const struct speedup *speedup, uint32_t track, nsec_t begin, nsec_t end)
{
	if (speedup->spec->kind == WHAT_IF_TASK)
		return is_named_at(speedup, track, begin) ? end - begin : 0;
	if (speedup->spec->kind != WHAT_IF_LOCK)
		return 0;
	return stretches_within(speedup, track, begin, end);
}

nsec_t speedup_had_cpu(const struct speedup *speedup, uint16_t cpu, nsec_t begin, nsec_t end)
{
	return speedup->spec->kind == WHAT_IF_TASK ? stretches_within(speedup, cpu, begin, end) : 0;
}

static bool disk_fits(const struct speedup *speedup, const struct cause_note *note)
{
	const struct timeline *timeline = speedup->timeline;
	uint32_t dev = note->as.disk.dev;

	return note->kind == CAUSE_DISK &&
	       (what_if_spec_fits(speedup->spec, TIMELINE_DEVICE_TEXT(timeline, dev)) ||
	        what_if_spec_fits(speedup->spec, TIMELINE_DEVICE_NUMBERS(timeline, dev)));
}

bool speedup_takes_wait(const struct speedup *speedup, uint32_t index, size_t at)
{
	const struct track *track = &speedup->timeline->track[index];
	const struct cause_note *note = segment_cause(speedup->timeline, &track->segment[at]);

	if (speedup->spec->kind == WHAT_IF_DISK)
		return note && !timeline_is_open(track, at) && disk_fits(speedup, note);
	return speedup->spec->kind == WHAT_IF_TIMER && !speedup->polls[index] &&
	       is_named_at(speedup, index, track->segment[at].begin) &&
	       own_sleep_of(speedup->timeline, index, at) == OWN_SLEEP;
}

/* Calls for each segment of that kind in the question's window. */
static void segments_visit(struct speedup *speedup, const struct question *question, unsigned kind,
                           void (*on_segment)(struct speedup *speedup, uint32_t track, size_t at,
                                              nsec_t begin, nsec_t end))
{
	for (uint32_t index = 0; index < speedup->timeline->track_count; index++) {
		const struct track *track = &speedup->timeline->track[index];

		if (speedup->is_named && !speedup->is_named[index])
			continue;
		for (size_t at = 0; at < track->segment_count; at++) {
			nsec_t begin = track->segment[at].begin;
			nsec_t end = timeline_segment_end(track, at);

			if (track->segment[at].kind == kind &&
			    question_clip(question, &begin, &end))
				on_segment(speedup, index, at, begin, end);
		}
	}
}

static void name_tracks(struct speedup *speedup)
{
	const struct timeline *timeline = speedup->timeline;

	speedup->is_named = xcalloc(timeline->track_count, sizeof(*speedup->is_named));
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		const struct track *track = &timeline->track[i];

		if (track->is_idle || !track->segment_count)
			continue;
		for (uint32_t n = 0; n < track->name_count; n++)
			speedup->is_named[i] |= name_fits(speedup, track->name[n].name);
		speedup->is_there |= speedup->is_named[i];
	}
}

static void on_run(struct speedup *speedup, uint32_t track, size_t at, nsec_t begin, nsec_t end)
{
	if (is_named_at(speedup, track, begin))
		stretch_add(speedup, speedup->timeline->track[track].segment[at].cpu, begin,
		            end);
}

static void on_sleep(struct speedup *speedup, uint32_t track, size_t at, nsec_t begin, nsec_t end)
{
	enum own_sleep kind = own_sleep_of(speedup->timeline, track, at);

	if (!is_named_at(speedup, track, begin))
		return;
	if (kind == OWN_SLEEP && speedup->polls[track])
		kind = OWN_SLEEP_POLLS;
	speedup->by_sleep[kind] += end - begin;
}

static void on_disk_wait(struct speedup *speedup, uint32_t track, size_t at, nsec_t begin,
                         nsec_t end)
{
	(void)begin;
	(void)end;
	speedup->is_there |= speedup_takes_wait(speedup, track, at);
}

static const char *const refusals[OWN_SLEEP_KINDS] = {
	[OWN_SLEEP_NONE] = "it never slept as long as it asked for",
	[OWN_SLEEP_POLLS] = "it polls: its sleeps end when it looks again, and what it waits for "
	                    "does not come sooner",
	[OWN_SLEEP_UNTIL] = "it sleeps until instants of a clock, which come when they come",
	[OWN_SLEEP_NET] = "it sleeps for answers from the network, and its timers do not decide "
	                  "when these come",
	[OWN_SLEEP_LIMIT] = "its timers are time limits of waits for something else",
};

/* What most of the sleeps were decides. */
static void timers_init(struct speedup *speedup, const struct question *question)
{
	enum own_sleep most = OWN_SLEEP_NONE;

	speedup->polls = xcalloc(speedup->timeline->track_count, sizeof(*speedup->polls));
	for (uint32_t i = 0; i < speedup->timeline->track_count; i++)
		speedup->polls[i] = speedup->is_named[i] && track_polls(speedup->timeline, i);
	segments_visit(speedup, question, SEGMENT_WAIT, on_sleep);
	speedup->by_sleep[OWN_SLEEP_NONE] = 0;
	for (int kind = OWN_SLEEP; kind < OWN_SLEEP_KINDS; kind++)
		if (speedup->by_sleep[kind] > speedup->by_sleep[most])
			most = (enum own_sleep)kind;
	speedup->refused = refusals[most];
}

static void locks_init(struct speedup *speedup, const struct contentions *contentions)
{
	for (size_t i = 0; i < contentions->count; i++) {
		const struct lock_wait *wait = &contentions->wait[i];

		if (!contention_fits(wait, speedup->timeline, speedup->spec))
			continue;
		speedup->is_there = true;
		if (wait->owner != TRACK_NONE && wait->owner != wait->waiter)
			stretch_add(speedup, wait->owner, wait->had_since, wait->end);
	}
	if (speedup->is_there && speedup->stretch_count == 0)
		speedup->refused = "who had it is not known";
}

void speedup_init(struct speedup *speedup, const struct what_if_spec *spec,
                 const struct question *question, const struct contentions *contentions)
{
	*speedup = (struct speedup){.spec = spec, .timeline = question->timeline};
	switch (spec->kind) {
	case WHAT_IF_TIMER:
		name_tracks(speedup);
		timers_init(speedup, question);
		break;
	case WHAT_IF_TASK:
		name_tracks(speedup);
		segments_visit(speedup, question, SEGMENT_RUN, on_run);
		break;
	case WHAT_IF_LOCK:
		locks_init(speedup, contentions);
		break;
	case WHAT_IF_DISK:
		segments_visit(speedup, question, SEGMENT_WAIT, on_disk_wait);
		break;
	case WHAT_IF_NET:
	case WHAT_IF_KINDS:
		speedup->is_there = true;
		speedup->refused = "what other machines would do then is not in the recording";
		break;
	}
	stretches_settle(speedup);
}

void speedup_release(struct speedup *speedup)
{
	free(speedup->is_named);
	free(speedup->polls);
	free(speedup->stretch);
}
