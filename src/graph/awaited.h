/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task waits for when it sleeps on its own timer, or seems to have nothing to do. Only this
 * file decides whether a task chose a sleep. Three kinds of evidence lead on:
 *
 *	sliced_wait.h  what ended the last one of the sleeps, or the answer to a request
 *	poll.h         a child, or a thread of the process, ended in the last one of the sleeps
 *	killed_child.h the task ended a child when its own limit was over
 *
 * A wait that a limit or a signal ended was for what the task was seen to want (aim_log.h). The
 * others are inferences, as no wake-up leads there. Walks follow likely ones (medium), and polling
 * that ended with several children at once; POLLS_ALL also follows the guesses of poll.h,
 * POLLS_NEVER none.
 *
 * Order of calls: timeline_find_awaited() once the history is complete, or before any of it is
 * forgotten, then walks.
 */
#pragma once

#include "killed_child.h"
#include "poll.h"
#include "sliced_wait.h"

/* What a sleep was for. All 0: nothing is known. */
struct awaited {
	const struct cause_note *cause; /* what ended the wait; NULL: not known, or a child did */
	const struct poll *poll;        /* series that a child ended; NULL: none */
	const struct cause_note *timer; /* the sleep's own timer */
	enum confidence confidence;
	bool is_for_work; /* the task had nothing to do */
};

/* What a task chose to sleep for. */
enum chosen_sleep {
	SLEEP_NOT_CHOSEN, /* something held the task up */
	SLEEP_FOR_WORK,   /* the task had nothing to do */
	SLEEP_FOR_TIME,   /* the task slept as long as it asked for */
};

/* Finds what sleeps were for, in the whole history, and forgets earlier results; does nothing with
   POLLS_NEVER. O(segments). */
void timeline_find_awaited(struct timeline *timeline);
/* The same, even with POLLS_NEVER: for callers that need the polling although walks do not follow
   it. */
void timeline_find_polls(struct timeline *timeline);
/* Whether the track has a wait of which this file knows more than its end; most tracks have
   none. */
static inline bool track_may_await(const struct track *track)
{
	return track->polls.count || track->sliced_waits.count || track->killed.count ||
	       track->aims;
}
/* The slow path of timeline_awaited(), for a track with such waits. */
bool timeline_awaited_of(const struct timeline *timeline, uint32_t track, size_t at,
                      struct awaited *ret);
/* Whether it is known what the wait was for, beside what ended it. O(log n). Inline: for all
   waits. */
static inline bool timeline_awaited(const struct timeline *timeline, uint32_t index, size_t at,
                                    struct awaited *ret)
{
	return track_may_await(&timeline->track[index]) &&
	       timeline_awaited_of(timeline, index, at, ret);
}
/* Whether, and for what, the task chose the sleep of a segment, which must be a wait. Inline,
   too. */
static inline enum chosen_sleep timeline_chosen_sleep(const struct timeline *timeline,
                                                      uint32_t index, size_t at)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	const struct cause_note *cause =
		segment->cause == CAUSE_NONE ? NULL : timeline_cause_at(timeline, segment->cause);
	struct awaited awaited;
	bool is_own_time;

	if (timeline_awaited(timeline, index, at, &awaited))
		return awaited.is_for_work ? SLEEP_FOR_WORK : SLEEP_NOT_CHOSEN;
	/* only some recordings show that the place is one where tasks sleep that have nothing to
	   do, and it adds nothing for a task that sleeps for a time */
	is_own_time = cause && cause_note_is_chosen(cause) && !timeline_is_open(track, at);
	if (is_own_time && !cause_note_is_sleep(cause))
		return SLEEP_NOT_CHOSEN;
	if (is_own_time && !track->is_kernel)
		return SLEEP_FOR_TIME;
	return is_own_time || segment->detail & WAIT_FOR_WORK ? SLEEP_FOR_WORK : SLEEP_NOT_CHOSEN;
}
/* Begin of the sleeps at the end of the track's history, of which more may be known later;
   NSEC_NEVER: there are none. */
nsec_t timeline_awaited_later(const struct timeline *timeline, uint32_t track);
