/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Polling: a task sleeps again and again for about as long, each time until its own timer wakes it,
 * and runs only shortly in between. How late the timer comes, and how long tasks stand in run
 * queues, does not matter.
 *
 *	WAIT(own 50 ms) RUN WAIT(own 50 ms) RUN WAIT(own 50 ms) RUN ...
 *
 * What it waits for does not wake it, so no wake-up leads there. If a child of the task, or a
 * thread that it created, lived meanwhile and ended in the last of the sleeps, or in the one
 * before, the task is likely to have waited for that: an inference. A task that does something in
 * between - wakes others, does I/O, waits for anything else - works periodically and does not poll;
 * in a series of many sleeps a few exceptions are allowed.
 *
 * A shell starts another child each time to sleep for it. That hides what else the shell does, so
 * only a child that ends in the last of these waits distinguishes such a series from periodic work.
 */
#pragma once

#include <stdbool.h>

#include "base/assume.h"
#include "graph/timeline/timeline.h"
#include "sleep_series.h"

/* Fewer sleeps are a coincidence, unless a child ended in the last one. */
#define POLL_LEAST     5
#define POLL_LEAST_FEW 4

/* A sleep, with which a series begins or goes on. */
struct poll_sleep {
	const struct cause_note *timer;
	nsec_t length; /* that it was to have: of a child's sleep, which is shorter than the wait;
	                  else of the wait */
	bool is_by_child;
};

/* A series of any kind begins with that sleep in the span, or goes on with one of that length. */
void series_begin(struct sleep_series *series, const struct span *span,
                  const struct poll_sleep *sleep);
void series_take(struct sleep_series *series, const struct span *span, nsec_t length);
/* Whether the task may be a child that sleeps for its parent: a process of its own. */
static inline bool poll_may_be_sleeper(const struct track *child)
{
	return child->has_own_timers && (child->tgid < 0 || child->tgid == child->tid);
}
/*
 * Whether a timer of the sleeper's own ended the wait, or of a child that did little but sleep
 * meanwhile. False also if the child's history is not kept.
 */
bool poll_find_sleep(const struct timeline *timeline, const struct span *span,
                     struct poll_sleep *ret);
static inline bool cause_is_by_child(const struct timeline *timeline, uint32_t track,
                                     const struct cause_note *cause)
{
	return cause->kind == CAUSE_TASK && cause->waker != TRACK_NONE &&
	       timeline->track[cause->waker].parent == track;
}
/* Whether a wait that ended so may be such a sleep, or may end a series of them; if not, its length
   is added to poll->other. `poll` is NULL if there is no series. Inline, as it runs for all
   waits. */
static inline bool poll_may_take(const struct sleep_series *poll, const struct timeline *timeline,
                                 uint32_t track, const struct cause_note *cause)
{
	return cause && (cause_note_is_chosen(cause) ||
	                 (cause_is_by_child(timeline, track, cause) &&
	                  ((poll && poll->is_by_child) ||
	                   poll_may_be_sleeper(&timeline->track[cause->waker]))));
}
/*
 * Takes in the track's next such wait; those of each track go to a struct of their own, which is
 * all 0 to begin with. True if the series ends before that wait, which is a sleep: then *poll is
 * still as it was, and series_begin() is to be called next.
 */
bool poll_take(struct sleep_series *poll, const struct timeline *timeline, const struct span *span,
               struct poll_sleep *ret);
/* Whether the series is quiet and long enough to be polling. */
bool poll_is_one(const struct sleep_series *poll);
bool poll_may_be_one(const struct sleep_series *poll);
/* Whether it is polling, or its child proves that it is. */
bool poll_is_proven(const struct sleep_series *poll, const struct timeline *timeline);
/* The approximate length of the sleeps. */
static inline nsec_t poll_period(const struct sleep_series *poll)
{
	ASSUME(poll->count > 0);
	return poll->slept / poll->count;
}
/* Whether sleeps of that length belong to a series of that period. */
bool poll_fits(nsec_t period, nsec_t length);
/* Whether both are of one kind and period. The places of their sleeps may differ in what is known
   of them. */
bool poll_is_alike(const struct sleep_series *a, const struct sleep_series *b);
/* Whether the later series goes on with the earlier one: they are alike, and so close that only
   something that delayed the task split them. */
bool poll_is_followed(const struct sleep_series *poll, const struct sleep_series *later);
void poll_join(struct sleep_series *poll, const struct sleep_series *later);
/* The series with the sums of what lies in [begin, end), where sleeps may be cut: a count of 0 if
   that is nothing. When it began and ended, and for what it was, stays as it is. */
struct sleep_series poll_within(const struct timeline *timeline, const struct sleep_series *poll,
                                nsec_t begin, nsec_t end);
/* Finds the child of a series that was joined, or cut, since timeline_settle_polls(). */
void poll_find_child(struct sleep_series *poll, const struct timeline *timeline);
/* Whether the series ended with that child's end, which the task noticed only after its sleep. */
static inline bool poll_ends_with_child(const struct sleep_series *poll)
{
	return poll->child_rank == POLL_CHILD_ENDS_IT;
}
/* Whether the child is indicated strongly enough to charge the time to it. */
bool poll_has_child(const struct sleep_series *poll);

/* Adds the series to its track's log, if it is polling or may turn out to be, or is a piece of
   the one before. */
void poll_end(struct timeline *timeline, const struct sleep_series *poll);
/* All series were found: finds their children. O(tracks * log segments). */
void timeline_settle_polls(struct timeline *timeline);
/* The only other child of the task's parent that lived during the whole series and ended in its
   last sleep; TRACK_NONE: there is none, or there are several. */
uint32_t poll_sibling(const struct sleep_series *poll, const struct timeline *timeline);
/* Of a series that is polling: whose end it looked for and found, a child or such a sibling;
   TRACK_NONE: that is not known. After timeline_settle_polls(). */
uint32_t poll_ended_by(const struct sleep_series *poll, const struct timeline *timeline);
