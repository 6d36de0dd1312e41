/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A task that waits for its children is woken by the end of each. A shell that runs a command while
 * others run in the background, or waits for a pipeline, looks whether that is the one, and waits
 * again:
 *
 *	WAIT(end of B) RUN(0.1 ms) WAIT(end of C)      both born before
 *
 * What let the task go on is the end of the last child, C, for which it waited all the time:
 * without B it would have gone on no earlier. So walks take the row as one wait, and go along C.
 * The waits themselves remain what they are: each ended as one child did.
 *
 * A child that polls may wait for another one, which no wake-up shows (tail --pid): a wait that the
 * other one ended stays with that one.
 */
#pragma once

#include "graph/timeline/timeline.h"
#include "sleep_series.h"

/* Adds the rows of such waits to the logs of their tracks. O(segments of tasks that have children).
   After timeline_settle_polls(). */
void timeline_find_last_children(struct timeline *timeline);
/* Begin of the row that the track's history ends with, and that may go on; NSEC_NEVER: there is
   none. timeline_trim() keeps its segments. */
static inline nsec_t track_row_left(const struct track *track)
{
	return track->series ? series_left_begin(&track->series[SERIES_OF_CHILDREN]) : NSEC_NEVER;
}
/* The row that the wait is in; NULL: none. *ret_is_last: it is the last one, which ended by what
   the row was for, row->cause. O(log n). */
static inline const struct sleep_series *track_child_row(const struct track *track, size_t at,
                                                         bool *ret_is_last)
{
	nsec_t begin = track->segment[at].begin;
	const struct sleep_series *row = series_of(track->series, SERIES_OF_CHILDREN, begin);

	*ret_is_last = !row;
	if (row || begin == 0)
		return row;
	row = series_of(track->series, SERIES_OF_CHILDREN, begin - 1);
	return row && row->end == begin ? row : NULL;
}
