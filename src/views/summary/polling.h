/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Series of polling (graph/poll.h) of one task, for the sentence of the summary
 * (summary_polling.c). Gathered from the spans as they end: a struct for each task that ever slept
 * on a timer of its own, or had a child do so.
 */
#pragma once

#include "analysis/analysis.h"
#include "graph/poll.h"

/* A series with a count of 0 is absent. */
struct polling {
	struct poll now;      /* may go on */
	struct poll latest;   /* the last series, which lie close together, as one */
	struct poll heaviest; /* the same for the series that make up most of `all` */
	struct poll all;      /* sum of all series of that period, however far apart */
	struct poll few;      /* the last one, which is too short so far */
};

/* The out-of-line part of polling_add(), for a wait that may be such a sleep. */
void polling_add_sleep(struct polling **polling, const struct timeline *timeline,
                       const struct span *span);
/* Whether the wait may have been for a child that slept, or breaks a series of such waits. */
static inline bool polling_may_be_child(const struct polling *polling,
                                        const struct timeline *timeline, const struct span *span)
{
	return span->cause->kind == CAUSE_TASK && span->cause->waker != LINE_NONE &&
	       timeline->line[span->cause->waker].parent == span->line &&
	       ((polling && polling->now.is_by_child) ||
	        poll_may_be_sleeper(&timeline->line[span->cause->waker]));
}
/* Adds the next span of the line; *polling is NULL until needed. Inline, as it runs for all
   spans. */
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
/* Call after the last span: *ret is the sum of all; false if there was no series. */
bool polling_close(const struct polling *polling, struct polling *ret);
