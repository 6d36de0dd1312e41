/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Series of polling (graph/poll.h) of one task, for the sentence of the summary
 * (summary_polling.c). They are gathered from the spans as they end, in one struct for each task
 * that ever slept on a timer of its own, or had a child do so.
 */
#pragma once

#include "analysis/analysis.h"
#include "graph/poll.h"

/* A series with a count of 0 is absent. */
struct polling {
	struct poll now;      /* may go on */
	struct poll latest;   /* the latest series, joined with earlier ones that lie close
	                         together */
	struct poll heaviest; /* such joined series with the longest time in `all` */
	struct poll all;      /* sum of all series with that period, even if they are far apart */
	struct poll few;      /* the last series that is too short */
};

/* The part of polling_add() that is not inline, for a wait that may be such a sleep. */
void polling_add_sleep(struct polling **polling, const struct timeline *timeline,
                       const struct span *span);
/* Whether the wait may have been for a child that slept, or may end a series of such waits. */
static inline bool polling_may_be_child(const struct polling *polling,
                                        const struct timeline *timeline, const struct span *span)
{
	return span->cause->kind == CAUSE_TASK && span->cause->waker != TRACK_NONE &&
	       timeline->track[span->cause->waker].parent == span->track &&
	       ((polling && polling->now.is_by_child) ||
	        poll_may_be_sleeper(&timeline->track[span->cause->waker]));
}
/* Adds the next span of the track; *polling is NULL until the first such sleep. Inline, as it runs
   for all spans. */
static inline void polling_add(struct polling **polling, const struct timeline *timeline,
                               const struct span *span)
{
	if (span->kind == SEGMENT_WAIT && span->cause &&
	    (cause_note_is_chosen(span->cause) || polling_may_be_child(*polling, timeline, span)))
		polling_add_sleep(polling, timeline, span);
	else if (span->kind == SEGMENT_WAIT && *polling)
		poll_wait(&(*polling)->now, span);
	else if (span->kind == SEGMENT_RUN && *polling)
		poll_run(&(*polling)->now, span);
}
/* Call after the last span: sets *ret to the sum of all series. Returns false if there was no
   series. */
bool polling_close(const struct polling *polling, struct polling *ret);
