/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a walk (walk.c): the tracks that it is on, one nested in the other, and the report
 * of parts, newest first. Private to it.
 */
#pragma once

#include <assert.h>

#include "base/assume.h"
#include "walk_visitor.h"

/*
 * One track of the path, explained back to lo. A kernel worker's track explains a work item only
 * back to its queueing; before that the queuer's track does (`then`), or what the interrupt served
 * that queued it (`then_cause`), back to then_lo.
 */
struct walk_frame {
	struct track *history; /* of that track */
	uint32_t track;
	nsec_t lo, hi;
	nsec_t t; /* explained from here to hi */
	size_t next; /* a guess at the segment that ends at t; may be any number */
	uint32_t outer; /* frame of the same track that this one is nested in; TRACK_NONE: none */
	uint32_t then;
	nsec_t then_lo;
	const struct cause_note *then_cause; /* instead of a track; NULL: none */
	/* If no wake-up led here, all its parts are less certain. */
	enum confidence confidence_max;
	/* The walk entered the track at a moment without an event of its own: a wait that has not
	   ended by then still has a cause. */
	bool is_cut;
	bool is_inferred; /* as in struct part, for all parts along it */
	const struct cause_note *work; /* executed since work->as.work.begun; NULL: none */
	/* the time back to held_lo is explained by this request, which was held back; NULL: none */
	const struct cause_note *held;
	nsec_t held_lo;
	const struct sleep_place *place; /* of the wait that is being explained, if asked for */
};

/* Whether the walk stands where it entered the track: what is before has ended by itself. */
static inline bool frame_is_cut(const struct walk_frame *frame)
{
	return frame->is_cut && frame->t == frame->hi;
}

/* Nearly all walks need no more frames at a time. */
#define FRAMES_FEW 16

struct walker {
	struct timeline *timeline;
	const struct walk_visitor *visitor;
	struct walk_result *result;
	struct walk_frame *frame; /* `few`, or more in memory of their own */
	struct walk_frame *top; /* the innermost, [depth - 1]; undefined if there is none */
	size_t depth, capacity;
	size_t depth_max;
	nsec_t reached; /* begin of the last reported part: the next one must end there */
	/* The block that is being summed up: its index, its position, and the state before it. */
	uint32_t block;
	const struct track *block_track;
	size_t block_first, block_end; /* its segments are [first, end) of the track */
	size_t block_depth; /* depth of the frame that walks the block; 0: no block is walked */
	size_t deepest;     /* the most frames since it began */
	struct walk_result block_result;
	struct walk_frame few[FRAMES_FEW];
};

/* `few` is not initialised: frames are, one by one. */
void walker_init(struct walker *walker, struct timeline *timeline,
                 const struct walk_visitor *visitor, struct walk_result *result);
void walker_release(struct walker *walker);
/* Reports [begin, top->t) to the visitor and steps back to begin. Fills in the part's interval and
   track; the caller may pass the same part again for an earlier interval. */
static inline void walker_emit(struct walker *walker, nsec_t begin, struct part *part)
{
	struct walk_frame *top = walker->top;

	assert(begin < top->t && begin >= top->lo && walker->reached == top->t);
	part->begin = begin;
	part->end = top->t;
	part->depth = (uint32_t)walker->depth - 1;
	part->track = top->track;
	if (walker->visitor->place)
		*walker->visitor->place = top->place;
	part->is_inferred |= top->is_inferred;
	if (part->confidence > top->confidence_max)
		part->confidence = top->confidence_max;
	walker->visitor->on_part(walker->visitor->state, part);
	walker->reached = begin;
	top->t = begin;
}

/* A part of a wait for that cause, of which nothing else is known. */
static inline struct part part_of_note(const struct cause_note *note)
{
	return (struct part){
		.state = PART_WAITING,
		.cause = note,
		.confidence = (enum confidence)note->confidence,
	};
}

/* Reports such a part back to begin. */
static inline void walker_emit_note(struct walker *walker, nsec_t begin,
                                    const struct cause_note *note)
{
	struct part part = part_of_note(note);

	walker_emit(walker, begin, &part);
}

/* How sure it is that the task ran, or was runnable without a cause of its own, as the segment
   says. A task that yielded on its return to user space may have been preempted. */
static inline enum confidence segment_confidence(const struct segment *segment)
{
	if (segment->is_doubtful)
		return CONFIDENCE_LOW;
	return segment->kind == SEGMENT_RUNNABLE && segment->detail == RUNNABLE_YIELDED
	               ? CONFIDENCE_MEDIUM
	               : CONFIDENCE_HIGH;
}

/* `state` is PART_UNKNOWN or PART_CUT. */
void walker_emit_unknown(struct walker *walker, nsec_t begin, enum part_state state);
/* Reports the delay of a late soft interrupt, and its service, as parts of their own. */
void walker_emit_delay(struct walker *walker, const struct cause_note *note, nsec_t lo);
/* Reports the time that a packet stood in a queue of this machine as a part of its own. */
void walker_emit_queued(struct walker *walker, const struct cause_note *note, nsec_t lo);
/*
 * Whether the track is being walked for the very same stretch already. Of several frames of one
 * track the innermost has the shortest stretch, so it is enough to check that one.
 */
bool walker_is_cycle(const struct walker *walker, uint32_t track, nsec_t lo, nsec_t hi);
/* Reports a wait of which the end is not known, or lies beyond what is asked for; its purpose may
   be known all the same. note: NULL: nothing is known. */
void walker_emit_open(struct walker *walker, const struct cause_note *note, nsec_t lo,
                      bool is_doubtful);
/* Makes room for more frames. */
void walker_grow(struct walker *walker);
/* Goes on along the track, back from hi to lo. */
static inline void walker_push(struct walker *walker, uint32_t track, nsec_t lo, nsec_t hi)
{
	struct track *entered = &walker->timeline->track[track];
	enum confidence confidence_max =
		walker->depth ? walker->top->confidence_max : CONFIDENCE_HIGH;
	bool is_cut = walker->depth && frame_is_cut(walker->top);
	bool is_inferred = walker->depth && walker->top->is_inferred;

	/* a track explains no more than the time for which its waiter asks */
	ASSUME(lo < hi && (!walker->depth || (lo >= walker->top->lo && hi == walker->top->t)));
	if (walker->depth == walker->capacity)
		walker_grow(walker);
	walker->top = &walker->frame[walker->depth];
	*walker->top = (struct walk_frame){
		.history = entered,
		.track = track,
		.lo = lo,
		.hi = hi,
		.t = hi,
		.next = entered->hint,
		.outer = entered->walk_frame,
		.then = TRACK_NONE,
		.confidence_max = confidence_max,
		.is_cut = is_cut,
		.is_inferred = is_inferred,
	};
	entered->walk_frame = (uint32_t)walker->depth++;
	if (walker->deepest < walker->depth)
		walker->deepest = walker->depth;
}

/*
 * The top's t is the end of segment `at` of its track. Steps over a block that ends there, if it is
 * summed up; true if it did. Begins to sum up a block that is met for the second time.
 */
bool walker_take_block(struct walker *walker, const struct track *track, size_t at);
/* The walk has come to the begin of the block that is being summed up. */
void walker_end_block(struct walker *walker);

/* Leaves the top track, and returns to the track from which it was entered. */
static inline void walker_pop(struct walker *walker)
{
	const struct walk_frame *top = walker->top;

	ASSUME(walker->depth > 0 && top->history->walk_frame == walker->depth - 1);
	top->history->walk_frame = top->outer;
	if (--walker->depth)
		walker->top--;
}
