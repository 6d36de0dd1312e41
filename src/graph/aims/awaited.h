/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task waits for when it sleeps on its own timer, or seems to have nothing to do. Only this
 * file decides whether a task chose a sleep. Evidence that leads on:
 *
 *	sliced_wait.h  what ended the last one of the sleeps, or the answer to a request
 *	poll.h         a child, or a thread of the process, ended in the last one of the sleeps, or
 *	               the task ended it when its own limit was over
 *
 * A wait that a limit or a signal ended was for what the task was seen to want (track_log.h). The
 * others are inferences, as no wake-up leads there. Walks follow likely ones (medium), and polling
 * that ended with several children at once; POLLS_ALL also follows the guesses of poll.h,
 * POLLS_NEVER none.
 *
 * Order of calls: timeline_find_awaited() once the history is complete, or before any of it is
 * forgotten, then walks.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "graph/timeline/timeline.h"
#include "poll.h"
#include "sliced_wait.h"

/* What a sleep was for. All 0: nothing is known. */
struct awaited {
	const struct cause_note *cause; /* what ended the wait; NULL: the series' child did */
	const struct sleep_series *series; /* NULL: none; the task was seen to want it */
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

/* Finds what sleeps were for, in the whole history, and forgets earlier results, but for polls that
   were over, or go on; with POLLS_NEVER only the polling, which walks do not follow then.
   O(segments). */
void timeline_find_awaited(struct timeline *timeline);
/* The slow path of timeline_awaited(), for a track with such waits. */
bool timeline_awaited_of(const struct timeline *timeline, uint32_t track, size_t at,
                      struct awaited *ret);
/* Whether it is known what the wait was for, beside what ended it. O(log n). Inline: for all
   waits. */
static inline bool timeline_awaited(const struct timeline *timeline, uint32_t index, size_t at,
                                    struct awaited *ret)
{
	const struct track *track = &timeline->track[index];

	return (track->aims || series_may_be_around(track->series, track->segment[at].begin)) &&
	       timeline_awaited_of(timeline, index, at, ret);
}
/* The same as timeline_chosen_sleep() for a wait for which timeline_awaited() is false. */
static inline enum chosen_sleep chosen_sleep_alone(const struct timeline *timeline, uint32_t index,
                                                   size_t at)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	const struct cause_note *cause = segment_cause(timeline, segment);
	bool is_own_time;

	/* only some recordings show that the place is one where tasks sleep that have nothing to
	   do, and it adds nothing for a task that sleeps for a time */
	is_own_time = cause && cause_note_is_chosen(cause) && !timeline_is_open(track, at);
	if (is_own_time && !cause_note_is_sleep(cause))
		return SLEEP_NOT_CHOSEN;
	if (is_own_time && !track->is_kernel)
		return SLEEP_FOR_TIME;
	return is_own_time || segment->detail & WAIT_FOR_WORK ? SLEEP_FOR_WORK : SLEEP_NOT_CHOSEN;
}
/*
 * Whether the wait of a thread ended only as another thread ended their process, and was for
 * nothing that another task had, as far as known: a thread of a pool had nothing to do, as nobody
 * waited for it. The first thread may have joined the other one. Uses nothing that comes later.
 */
bool span_is_left(const struct timeline *timeline, const struct span *span);
/* Whether, and for what, the task chose the sleep of a segment, which must be a wait. Inline,
   too. */
static inline enum chosen_sleep timeline_chosen_sleep(const struct timeline *timeline,
                                                      uint32_t index, size_t at)
{
	struct awaited awaited;

	if (timeline_awaited(timeline, index, at, &awaited))
		return awaited.is_for_work ? SLEEP_FOR_WORK : SLEEP_NOT_CHOSEN;
	if (timeline->track[index].ends_with_another) {
		const struct span span = timeline_span(timeline, index, at);

		if (span_is_left(timeline, &span))
			return SLEEP_FOR_WORK;
	}
	return chosen_sleep_alone(timeline, index, at);
}
/*
 * The instant up to which a track's history can be taken, for callers that sum it up before its
 * older half is forgotten. The current segment is taken only when it has ended. Sleeps of which
 * more may become known are taken later, unless they are about to be forgotten.
 */
nsec_t track_end_of_known(const struct timeline *timeline, uint32_t track);
/* By index in a track: from `begin`, until `end`. */
struct segment_range {
	size_t begin, end;
};
/* The track's segments until then that were not taken before. *taken: how many were, forgotten ones
   included; 0 at first. */
struct segment_range track_take_known(const struct timeline *timeline, uint32_t track,
                                      size_t *taken);
/* The same for callers that walk ahead what its children do, and so can take a row of waits for
   them (last_child.h) once that has ended. */
nsec_t track_end_of_path(const struct timeline *timeline, uint32_t track);

/*
 * What is known of a wait without what comes after it, for callers that look at tasks while the
 * trace goes on. The functions above use the sleeps around it, too.
 */

/* Whether the wait seems to hold its task up: not a sleep that the task chose, for work or for a
   time, nor that of a server until its next request. Of a sleep in S that has not ended something
   must be known, and more than for which task it waits: most such sleeps are of tasks that have
   nothing to do, and shells wait for their children like that. False for all other
   spans, and where a work item of others ended the sleep. */
bool span_holds_up(const struct timeline *timeline, const struct span *span);
/* Whether the wait, as far as known, is such a sleep: one that the task chose, or of a thread
   that was left, or of a server until its next request. */
bool span_is_idle_sleep(const struct timeline *timeline, const struct span *span);
/*
 * Whether a work item ended the sleep that was not for it: the sleeper, or its process, had neither
 * queued nor flushed the item, nor asked a disk for what queued it. Readers of a terminal or of USB
 * sleep like that until something comes. What sleeps in D had asked for it, perhaps by others.
 */
bool span_is_ended_by_work_of_others(const struct timeline *timeline, const struct span *span);
/* The track that the sleeper waited for: who holds the lock, woke it, or asked for what it waited
   for; TRACK_NONE: none, or itself. */
uint32_t cause_note_behind(const struct cause_note *note, uint32_t sleeper);
