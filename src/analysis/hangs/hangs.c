/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "hangs.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "graph/aims/sleep_series.h"
#include "graph/timeline/open_wait.h"
#include "graph/timeline/timeline_tasks.h"

/* Finds the wait of the track in which it was seen. Without history only the looks are known. */
static void hang_find_wait(struct hang *hang, struct timeline *timeline)
{
	const struct open_wait *wait = hang->wait;
	struct track *track = &timeline->track[hang->track];
	nsec_t end = timeline_end_of(timeline, track);
	nsec_t seen = wait->seen ? wait->seen : end;
	const struct sleep_series *row;
	size_t at;

	hang->begin = nsec_max(wait->since, timeline_begin_of(timeline, track));
	hang->end = seen;
	hang->is_open = track->is_open && wait->seen == 0;
	if (!timeline->keep_segments || track->segment_count == 0)
		return;
	at = open_wait_goes_on(timeline, hang->track, nsec_min(seen, end))
	             ? track->segment_count - 1
	             : timeline_find(track, nsec_min(seen, end));
	if (at == SIZE_MAX || track->segment[at].kind != SEGMENT_WAIT)
		return;
	row = series_of(track->series, SERIES_OF_SLICES, track->segment[at].begin);
	hang->begin = row ? row->begin : track->segment[at].begin;
	hang->end = timeline_segment_end(track, at);
	hang->is_open = timeline_is_open(track, at);
}

/* The track of the tid when the recorder looked; MAP_NONE, which is TRACK_NONE: it has none, or the
   tid is in use again since. */
static uint32_t wait_find_track(const struct hangs *hangs, const struct map *track_of_tid,
                                int32_t tid, const struct open_wait *wait)
{
	uint32_t track = map_get(track_of_tid, (uint64_t)tid);
	nsec_t born;

	if (track == MAP_NONE || wait->seen == 0)
		return track;
	born = hangs->question->timeline->track[track].born;
	return born == NSEC_NEVER || born <= wait->seen ? track : MAP_NONE;
}

/* The task that events show an unfinished wait to be for, as for a child or an answer; TRACK_NONE:
   none. */
static uint32_t track_awaited(const struct timeline *timeline, uint32_t index)
{
	const struct cause_note *note = track_open_note(timeline, index);

	if (note && note->kind == CAUSE_NET)
		return note->originator;
	return note && note->kind == CAUSE_TASK && note->is_walked ? note->waker : TRACK_NONE;
}

static void hangs_add_seen(struct hangs *hangs, const struct map *track_of_tid,
                           const struct open_wait *wait)
{
	uint32_t track = wait_find_track(hangs, track_of_tid, wait->tid, wait), at, awaited;
	struct timeline *timeline = hangs->question->timeline;
	struct hang *hang;

	if (track == MAP_NONE || wait->state == 'T' || wait->state == 't' ||
	    (wait->is_tried && !open_wait_is_retried(timeline, track, wait)))
		return;
	at = map_get(&hangs->by_track, track);
	if (at == MAP_NONE) {
		ARRAY_GROW(hangs->hang, hangs->count, hangs->capacity);
		at = (uint32_t)hangs->count++;
		map_put(&hangs->by_track, track, at);
	}
	hang = &hangs->hang[at];
	*hang = (struct hang){
		.wait = wait,
		.track = track,
		.owner = TRACK_NONE,
		.next = WAITS_FOR_NONE,
	};
	if (wait->owner && wait->kind != OPEN_WAIT_LEFT)
		hang->owner = wait_find_track(hangs, track_of_tid, wait->owner, wait);
	for (size_t i = 0; i < wait->holder_count; i++)
		hang->holder[i] = wait_find_track(hangs, track_of_tid, wait->holder[i], wait);
	hang_find_wait(hang, timeline);
	awaited = track_awaited(timeline, track);
	/* the recorder saw which process has the other end of a connection; events show which
	   thread of it reads there */
	if (wait->kind == OPEN_WAIT_SOCKET && awaited != TRACK_NONE && hang->owner != TRACK_NONE &&
	    timeline_is_one_process(timeline, awaited, hang->owner))
		hang->owner = hang->holder[0] = awaited;
	if (hang->owner == TRACK_NONE && wait->kind == OPEN_WAIT_OTHER)
		hang->owner = awaited;
}

bool hang_is_long(const struct hangs *hangs, const struct hang *hang)
{
	const struct timeline *timeline = hangs->question->timeline;
	nsec_t length = hang->end - hang->begin;

	return hang->is_open && (length >= LONG_WAIT_NS ||
	                         length >= (timeline->end - timeline->begin) / LONG_WAIT_PART);
}

bool circle_has(const struct hangs *hangs, size_t first, enum open_wait_kind kind)
{
	CIRCLE_EACH(hangs, first, at)
		if (hangs->hang[at].wait->kind == kind)
			return true;
	return false;
}

/* Whether the circle that goes through `first` is a deadlock. At pipes, tasks may also wait for
   each other for a moment, and go on; at sockets and terminals they may have nothing to say. */
static bool circle_is_deadlock(const struct hangs *hangs, size_t first)
{
	if (circle_has(hangs, first, OPEN_WAIT_SOCKET) ||
	    circle_has(hangs, first, OPEN_WAIT_TERMINAL))
		return false;
	if (!circle_has(hangs, first, OPEN_WAIT_PIPE))
		return true;
	CIRCLE_EACH(hangs, first, at)
		if (!hang_is_long(hangs, &hangs->hang[at]))
			return false;
	return true;
}

/* Follows `next` from there until a task waits for none, or was visited already: by an earlier
   search, or by this one. In the last case this task is on a circle, and is returned; else
   WAITS_FOR_NONE. search_of[] is all 0 before the first search; call it once for each task. */
static size_t circle_find(const struct hangs *hangs, size_t *search_of, size_t from)
{
	size_t at = from;

	while (at != WAITS_FOR_NONE && search_of[at] == 0) {
		search_of[at] = from + 1;
		at = hangs->hang[at].next;
	}
	return at != WAITS_FOR_NONE && search_of[at] == from + 1 ? at : WAITS_FOR_NONE;
}

/* Takes the circle that goes through `first`, and that only events show, if it is likely to be a
   deadlock. The most certain one is to be printed, of equally certain ones the first. */
static bool circle_is_likely(struct hangs *hangs, size_t first)
{
	struct likely_circle circle = {.first = first, .least_times = UINT64_MAX};

	CIRCLE_EACH(hangs, first, at) {
		const struct hang *hang = &hangs->hang[at];

		circle.count++;
		circle.is_asked |= hang_is_asked(hangs, hang);
		if (!hang_is_for_lock(hang)) {
			circle.in_pipe++;
			circle.least_times = hang->times < circle.least_times ? hang->times
			                                                      : circle.least_times;
		}
	}
	if (!circle.is_asked ||
	    (circle.count < RING_LIKELY && circle.least_times < PARTNER_TIMES))
		return false;
	if (hangs->likely_count++ == 0 || circle.least_times > hangs->likely.least_times)
		hangs->likely = circle;
	return true;
}

static void hangs_find_circles(struct hangs *hangs)
{
	_cleanup_(freep) size_t *search_of = xcalloc(hangs->all + 1, sizeof(*search_of));

	for (size_t from = 0; from < hangs->all; from++) {
		size_t at = circle_find(hangs, search_of, from);
		bool is_seen = from < hangs->count;

		if (at == WAITS_FOR_NONE)
			continue;
		if (is_seen ? !circle_is_deadlock(hangs, at) : !circle_is_likely(hangs, at)) {
			hangs->hang[at].next = WAITS_FOR_NONE; /* a chain of waits has an end */
			continue;
		}
		hangs->circle_count += is_seen;
		for (; hangs->hang[at].circle == 0; at = hangs->hang[at].next)
			hangs->hang[at].circle = hangs->circle_count + hangs->likely_count;
	}
}

static void hangs_mark(struct hangs *hangs)
{
	bool is_changed = true;

	EACH_OF(hangs->hang, hangs->count, struct hang, hang) {
		const struct open_wait *wait = hang->wait;

		/* a wait alone is a hang if it is for a lock, for a file system that may be dead,
		   or in D */
		hang->is_hung = hang->circle ||
		                (hang_is_long(hangs, hang) &&
		                 (wait_is_for_lock(wait) || wait->kind == OPEN_WAIT_MOUNT ||
		                  wait->state == 'D'));
	}
	while (is_changed) {
		is_changed = false;
		EACH_OF(hangs->hang, hangs->count, struct hang, hang)
			if (!hang->is_hung && hang->is_open && hang->next != WAITS_FOR_NONE &&
			    hangs->hang[hang->next].is_hung)
				hang->is_hung = is_changed = true;
	}
	/* the sentence on an asked one names all tasks behind which it hangs */
	for (size_t i = 0; i < hangs->count; i++)
		if (hangs->hang[i].is_hung && hang_is_asked(hangs, &hangs->hang[i]))
			for (size_t at = hangs->hang[i].next;
			     at != WAITS_FOR_NONE && !hangs->hang[at].is_behind;
			     at = hangs->hang[at].next)
				hangs->hang[at].is_behind = true;
}

void pipe_partners_add(struct keyed_sums *partners, const struct span *span)
{
	struct keyed_sum *partner = keyed_sums_of(partners, span->track);
	uint32_t waker = TRACK_NONE;

	/* where events were lost, another waker may be missing */
	if (span->cause && span->cause->kind == CAUSE_TASK &&
	    span->cause->confidence != CONFIDENCE_LOW && span->cause->waker != span->track)
		waker = span->cause->waker;
	if (partner->count++ == 0)
		partner->extra = waker;
	else if (partner->extra != waker)
		partner->extra = TRACK_NONE;
}

/* Adds the track's unfinished wait, if it is in D, for a contended lock, or in a pipe. */
static void hangs_add_open(struct hangs *hangs, uint32_t index, const struct keyed_sums *partners)
{
	const struct timeline *timeline = hangs->question->timeline;
	const struct track *track = &timeline->track[index];
	const struct keyed_sum *partner = keyed_sums_find(partners, index);
	struct hang hang = {.track = index, .owner = TRACK_NONE, .next = WAITS_FOR_NONE};
	const struct segment *wait = track_open_wait(track);
	bool is_in_pipe;
	struct span span;

	if (!wait || wait->detail & WAIT_FOR_WORK)
		return;
	span = timeline_span(timeline, index, track->segment_count - 1);
	is_in_pipe = span.place && span.place->kind == PLACE_PIPE;
	hang.begin = span.begin;
	hang.end = span.end;
	hang.is_open = true;
	hang.is_in_d = span.detail == 'D';
	hang.frames = span_frames(&span);
	hang.cause = span.cause;
	if (hang_is_for_lock(&hang)) {
		hang.owner = hang.cause->originator;
	} else if (partner && is_in_pipe && hang_is_long(hangs, &hang)) {
		hang.owner = (uint32_t)partner->extra;
		hang.times = partner->count;
	} else if (!hang.is_in_d) {
		return;
	}
	ARRAY_ADD(hangs->hang, hangs->all, hangs->capacity) = hang;
}

/* Those that only events show. */
static void hangs_find_open(struct hangs *hangs, const struct keyed_sums *partners)
{
	const struct timeline *timeline = hangs->question->timeline;
	_cleanup_(freep) size_t *hang_of = xcalloc(timeline->track_count, sizeof(*hang_of));

	for (uint32_t track = 0; track < timeline->track_count; track++)
		hangs_add_open(hangs, track, partners);
	for (size_t i = hangs->count; i < hangs->all; i++)
		hang_of[hangs->hang[i].track] = i + 1;
	EACH_OF(hangs->hang + hangs->count, hangs->all - hangs->count, struct hang, hang)
		if (hang->owner != TRACK_NONE && hang_of[hang->owner])
			hang->next = hang_of[hang->owner] - 1;
}

/* Those that the recorder saw. */
static void hangs_find_seen(struct hangs *hangs)
{
	const struct question *question = hangs->question;
	const struct timeline *timeline = question->timeline;
	struct map track_of_tid; /* the last one; of a process that of its last leader */

	map_init(&track_of_tid);
	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (timeline->track[track].tid > 0 &&
		    timeline->track[track].succession.heir == TRACK_NONE)
			map_put(&track_of_tid, (uint64_t)track_id(&timeline->track[track]), track);
	for (size_t i = 0; i < question->recording.open_wait_count; i++)
		hangs_add_seen(hangs, &track_of_tid, &question->recording.open_waits[i]);
	for (size_t i = 0; i < hangs->count; i++) {
		struct hang *hang = &hangs->hang[i];
		uint32_t next = hang->owner == TRACK_NONE ? MAP_NONE
		                                          : map_get(&hangs->by_track, hang->owner);
		nsec_t seen = hang->wait->seen ? hang->wait->seen : hang->end;

		/* the owner slept in its own wait when this one was seen waiting for it */
		if (next != MAP_NONE && (next != i || wait_is_for_lock(hang->wait)) &&
		    hangs->hang[next].begin <= seen && seen <= hangs->hang[next].end)
			hang->next = next;
	}
	map_release(&track_of_tid);
}

void hangs_find(struct hangs *ret, const struct question *question,
                const struct keyed_sums *partners)
{
	const struct timeline *timeline = question->timeline;
	struct keyed_sums own;

	*ret = (struct hangs){.question = question};
	map_init(&ret->by_track);
	if (question->resolved->end < timeline->end)
		return;
	keyed_sums_init(&own, sizeof(struct keyed_sum), SIZE_MAX);
	if (question->recording.open_wait_count)
		hangs_find_seen(ret);
	ret->all = ret->count;
	for (uint32_t index = 0; !partners && index < timeline->track_count; index++) {
		const struct track *track = &timeline->track[index];

		for (uint32_t i = 0; track->is_open && i < track->place_count; i++) {
			struct span span = timeline_span(timeline, index, track->place[i].segment);

			pipe_partners_take(&own, &span);
		}
	}
	hangs_find_open(ret, partners ? partners : &own);
	hangs_find_circles(ret);
	hangs_mark(ret);
	keyed_sums_release(&own);
}

void hangs_release(struct hangs *hangs)
{
	free(hangs->hang);
	map_release(&hangs->by_track);
	*hangs = (struct hangs){0};
}

