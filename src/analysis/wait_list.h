/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waits that a question asks for, from a complete timeline.
 */
#pragma once

#include "analysis.h"

/* One wait: a WAIT or STOPPED segment and what followed. */
struct wait {
	uint32_t track;
	uint32_t segment;  /* index in the track */
	nsec_t begin, end; /* end: when woken; the end of the trace if open */
	nsec_t run;        /* when on a CPU again; NSEC_NEVER: not seen */
	uint8_t letter;
	bool is_open;
	const struct cause_note *cause; /* NULL: open */
	struct sleep_place place;
};

/* A track and its next wait. Cursors are sorted by the begin of that wait. */
struct wait_cursor {
	nsec_t begin;
	uint32_t track;
	size_t at; /* index of the segment */
};

/*
 * All waits of the asked tasks that touch the window, are at least `min` long and of the asked
 * kinds, in order of begin, then track. They are not cut to the window. The waits of all tracks are
 * merged one by one, not stored: 24 bytes a track, O(log tracks) a wait. wait_stream_next() returns
 * false at the end.
 */
struct wait_stream {
	const struct question *question;
	struct wait_cursor *cursor; /* a heap, the earliest on top */
	size_t count;
};

void wait_stream_init(struct wait_stream *stream, const struct question *question);
void wait_stream_release(struct wait_stream *stream);
bool wait_stream_next(struct wait_stream *stream, struct wait *ret_wait);
/* Whether the asked wait (--wait N) exists; true also if none is asked for. If not, appends a
   phrase to `why`. */
bool wait_list_has_asked(const struct question *question, struct buffer *why);
/* Finds the asked wait; returns its number or, if it does not exist, that of all waits. */
uint64_t wait_list_find_asked(const struct question *question, struct wait *ret);
struct wait wait_at(const struct question *question, uint32_t track, size_t segment);
/* Whether nothing blocked the task: there was no work. */
bool wait_is_for_work(const struct timeline *timeline, const struct wait *wait);
/* Whether the task was stopped, which is not a wait. */
static inline bool wait_is_stop(const struct wait *wait)
{
	return wait->letter == 'T' || wait->letter == 't';
}

/* Finds the part of the wait that lies in the window. Returns false if there is none, if its length
   is 0, or if the wait is a stop: a stop is intended by the task that caused it. */
bool wait_clip(const struct question *question, const struct wait *wait, nsec_t *ret_begin,
               nsec_t *ret_end);
/* Whether the segment, a wait or a stop, fits the question's filters of waits and its window. */
bool wait_list_asks(const struct question *question, uint32_t track, size_t at);
/* Calls back for each wait of one track, in order. */
void wait_list_visit(const struct question *question, uint32_t track,
                     void (*on_wait)(void *state, const struct wait *wait), void *state);
