/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wait_list.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/data/heap.h"
#include "base/xalloc.h"
#include "graph/aims/aim.h"
#include "graph/aims/awaited.h"

/* Built in place: it is large. */
static void wait_fill(const struct question *question, uint32_t index, size_t at, struct wait *wait)
{
	const struct track *track = &question->timeline->track[index];
	const struct segment *segment = &track->segment[at];

	*wait = (struct wait){
		.track = index,
		.segment = (uint32_t)at,
		.begin = segment->begin,
		.end = timeline_segment_end(track, at),
		.run = NSEC_NEVER,
		.letter = segment->detail & (uint8_t)~WAIT_FOR_WORK,
		.is_open = timeline_is_open(track, at),
		.cause = segment_cause(question->timeline, segment),
	};
	if (track->place_count) {
		const struct sleep_place *place = timeline_place(track, at);

		if (place)
			wait->place = *place;
	}
	/* The task may be moved between CPUs while it is queued. A run of length 0 has no segment,
	   but the next segment begins at its instant. */
	for (at++; at < track->segment_count && track->segment[at].kind == SEGMENT_RUNNABLE; at++)
		;
	if (!wait->is_open && at < track->segment_count)
		wait->run = track->segment[at].begin;
}

struct wait wait_at(const struct question *question, uint32_t index, size_t at)
{
	struct wait wait;

	wait_fill(question, index, at, &wait);
	return wait;
}

bool wait_is_for_work(const struct timeline *timeline, const struct wait *wait)
{
	const struct segment *segment = &timeline->track[wait->track].segment[wait->segment];
	struct awaited awaited;

	/* slices that look so may turn out to be for something */
	return segment->kind == SEGMENT_WAIT && (segment->detail & WAIT_FOR_WORK) &&
	       (!timeline_awaited(timeline, wait->track, wait->segment, &awaited) ||
	        awaited.is_for_work);
}

static bool segment_is_asked(const struct question *question, const struct track *track, size_t at)
{
	return at < track->segment_count && question_asks_cpu(question, track->segment[at].cpu);
}

/* Asked of all segments that may be waits, so what a wait consists of is not put together yet. The
   task may have run on an asked CPU before or after. */
bool wait_list_asks(const struct question *question, uint32_t index, size_t at)
{
	const struct timeline *timeline = question->timeline;
	const struct track *track = &timeline->track[index];
	const struct asked *asked = question->asked;
	nsec_t begin = track->segment[at].begin, end = timeline_segment_end(track, at);
	struct wait_aim aim;
	bool is_of_kind;

	if (!segment_is_asked(question, track, at) && !segment_is_asked(question, track, at + 1))
		return false;
	if (end - begin < asked->min ||
	    (question->resolved && !question_clip(question, &begin, &end)))
		return false;
	/* of an asked kind, by its cause or by its aim, and ended as asked */
	is_of_kind = asked->kinds == KIND_MASK_ALL ||
	             cause_is_of_kinds(segment_cause(timeline, &track->segment[at]), asked->kinds);
	if (asked->ends == END_MASK_ALL && (is_of_kind || !asked->aims))
		return is_of_kind;
	aim = timeline_aim(timeline, index, at);
	return asked->ends & 1u << aim.end && (is_of_kind || asked->aims & 1u << aim.kind);
}

bool wait_clip(const struct question *question, const struct wait *wait, nsec_t *ret_begin,
               nsec_t *ret_end)
{
	nsec_t begin = wait->begin, end = wait->end;

	if (wait_is_stop(wait) || !question_clip(question, &begin, &end) || begin == end)
		return false;
	*ret_begin = begin;
	*ret_end = end;
	return true;
}

/* The track's first asked wait from segment `at` on; false: there is none. */
static bool wait_find(const struct question *question, uint32_t index, size_t at, size_t *ret_at)
{
	const struct track *track = &question->timeline->track[index];

	for (; at < track->segment_count; at++) {
		if (track->segment[at].kind != SEGMENT_WAIT &&
		    track->segment[at].kind != SEGMENT_STOPPED)
			continue;
		*ret_at = at;
		if (wait_list_asks(question, index, at))
			return true;
	}
	return false;
}

void wait_list_visit(const struct question *question, uint32_t index,
                     void (*on_wait)(void *state, const struct wait *wait), void *state)
{
	struct wait wait;

	for (size_t at = 0; wait_find(question, index, at, &at); at++) {
		wait_fill(question, index, at, &wait);
		on_wait(state, &wait);
	}
}

/* Tracks are numbered in order of appearance, so equal begins keep a stable order by track. */
static bool cursor_is_before(const struct wait_cursor *a, const struct wait_cursor *b)
{
	return a->begin != b->begin ? a->begin < b->begin : a->track < b->track;
}

void wait_stream_init(struct wait_stream *stream, const struct question *question)
{
	size_t tracks = question->timeline->track_count;

	*stream = (struct wait_stream){
		.question = question,
		.cursor = xreallocarray(NULL, tracks, sizeof(*stream->cursor)),
	};
	for (uint32_t track = 0; track < tracks; track++) {
		size_t at;

		if (question->resolved->is_asked[track] && wait_find(question, track, 0, &at))
			stream->cursor[stream->count++] = (struct wait_cursor){
				question->timeline->track[track].segment[at].begin, track, at};
	}
	for (size_t at = stream->count / 2; at-- > 0;)
		HEAP_SIFT_DOWN(stream->cursor, stream->count, at, cursor_is_before);
}

void wait_stream_release(struct wait_stream *stream)
{
	free(stream->cursor);
	*stream = (struct wait_stream){0};
}

bool wait_stream_next(struct wait_stream *stream, struct wait *ret_wait)
{
	const struct question *question = stream->question;
	struct wait_cursor *top = stream->cursor;

	if (stream->count == 0)
		return false;
	wait_fill(question, top->track, top->at, ret_wait);
	if (wait_find(question, top->track, top->at + 1, &top->at))
		top->begin = question->timeline->track[top->track].segment[top->at].begin;
	else
		*top = stream->cursor[--stream->count];
	HEAP_SIFT_DOWN(stream->cursor, stream->count, 0, cursor_is_before);
	return true;
}

uint64_t wait_list_find_asked(const struct question *question, struct wait *ret)
{
	struct wait_stream waits;
	uint64_t count = 0;

	wait_stream_init(&waits, question);
	while (count < question->asked->wait && wait_stream_next(&waits, ret))
		count++;
	wait_stream_release(&waits);
	return count;
}

bool wait_list_has_asked(const struct question *question, struct buffer *why)
{
	struct wait wait;
	uint64_t count = wait_list_find_asked(question, &wait);

	if (count == question->asked->wait)
		return true;
	buffer_printf(why, "no wait %" PRIu64 ": --waits with the same filters lists %" PRIu64,
	              question->asked->wait, count);
	return false;
}
