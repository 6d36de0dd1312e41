/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "last_child.h"

#include "graph/timeline/timeline_tasks.h"

/* For so long a task runs at most between two waits of a row. Shells take 0.02 to 0.3 ms to note a
   child's end. */
#define LOOK_MOST 1000000u /* ns */

/* The longest row of which the rest is waited for: its segments are kept meanwhile. */
#define LEFT_MOST 64

/* The row that ends with the last wait so far. */
struct child_row {
	struct sleep_series series; /* its end is the begin of the last wait, which is not in it */
	nsec_t ended;               /* when that wait ended */
};

/* The child that ended the wait as it ended itself. An open wait: the child that the task waits
   for. TRACK_NONE: there is none. */
static uint32_t wait_child(const struct timeline *timeline, uint32_t index, size_t at,
                           const struct cause_note *note)
{
	bool is_by_child = timeline_is_open(&timeline->track[index], at)
	                           ? note->kind == CAUSE_TASK && note->is_walked
	                           : cause_note_is_labelled(timeline, note, "exit");

	return is_by_child && note->waker != TRACK_NONE
	               ? timeline_child_of(timeline, note->waker, index)
	               : TRACK_NONE;
}

/* Whether the wait goes on with what the row waited for: the child was there when the row began,
   and did not poll until just after what ended last, for which it may have waited. */
static bool row_goes_on(const struct child_row *row, const struct segment *wait,
                        const struct track *child)
{
	const struct sleep_series *poll = series_of(child->series, SERIES_OF_POLLS, row->ended);
	nsec_t born = track_known_born(child);

	return row->series.cause && wait->is_quiet && row->series.running <= LOOK_MOST &&
	       (born == NSEC_NEVER || born <= row->series.begin) &&
	       !(poll && row->ended > poll->late);
}

/* Whether another child lives that was there when the row began. */
static bool row_may_go_on(const struct child_row *row, const struct timeline *timeline)
{
	TRACK_EACH_CHILD(timeline, row->series.track, child) {
		const struct track *track = &timeline->track[child];
		nsec_t born = track_known_born(track);

		if (track->is_shown_open && (born == NSEC_NEVER || born <= row->series.begin))
			return true;
	}
	return false;
}

/* is_left: the history ends with it. */
static void row_end(struct child_row *row, struct timeline *timeline, bool is_left)
{
	if (!row->series.count)
		return;
	row->series.is_unproven = row->series.count < 2;
	row->series.is_left = is_left && row->series.count <= LEFT_MOST &&
	                      row->series.running <= LOOK_MOST && row_may_go_on(row, timeline);
	if (row->series.count > 1 || row->series.is_left)
		series_add(&timeline->track[row->series.track].series, SERIES_OF_CHILDREN,
		           &row->series);
	row->series.cause = NULL;
	row->series.count = 0;
}

/* Where the search begins: only a wait that the end of a task ended, or an open one, begins a
   row. */
static size_t track_first_exit(struct track *track)
{
	size_t last = track->segment_count - 1;
	size_t at = track->exits_since < track->end ? timeline_find(track, track->exits_since)
	                                            : last;

	ASSUME(track->segment_count > 0);
	return at == SIZE_MAX ? 0 : at;
}

static void track_find_last_children(struct timeline *timeline, uint32_t index)
{
	struct track *track = &timeline->track[index];
	struct child_row row = {.series.track = index};

	for (size_t at = track_first_exit(track); at < track->segment_count; at++) {
		const struct segment *segment = &track->segment[at];
		const struct cause_note *note;
		uint32_t child;

		if (segment->kind == SEGMENT_RUNNABLE)
			continue;
		if (segment->kind == SEGMENT_RUN) {
			row.series.running += timeline_segment_end(track, at) - segment->begin;
			continue;
		}
		note = segment->kind == SEGMENT_WAIT ? segment_cause(timeline, segment) : NULL;
		child = note ? wait_child(timeline, index, at, note) : TRACK_NONE;
		/* a shell that polls waits for the children that sleep for it */
		if (child == TRACK_NONE ||
		    series_of(track->series, SERIES_OF_POLLS, segment->begin)) {
			row_end(&row, timeline,
			        segment->is_quiet && timeline_is_open(track, at));
			continue;
		}
		if (!row_goes_on(&row, segment, &timeline->track[child])) {
			row_end(&row, timeline, /* is_left= */ false);
			row.series.begin = segment->begin;
		}
		row.series.cause = note;
		row.series.end = segment->begin;
		row.series.running = 0;
		row.series.count++;
		row.ended = timeline_segment_end(track, at);
	}
	row_end(&row, timeline, /* is_left= */ track->is_shown_open);
}

void timeline_find_last_children(struct timeline *timeline)
{
	for (uint32_t i = 0; i < timeline->track_count; i++)
		if (timeline->track[i].has_children && timeline->track[i].segment_count)
			track_find_last_children(timeline, i);
}
