/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "ended_child.h"

#include "base/data/array.h"
#include "base/data/order.h"
#include "poll.h"
#include "sleep_series.h"

/* The sleep before segment `at` that the task's own timer ended, if the task did nothing but look
   around in between; SIZE_MAX: there is none. */
static size_t sleep_before(const struct timeline *timeline, const struct track *track, size_t at)
{
	const nsec_t most = series_run_most(timeline_segment_end(track, at) -
	                                    track->segment[at].begin);
	nsec_t running = 0;

	if (!track->segment[at].is_quiet)
		return SIZE_MAX;
	while (at-- > 0) {
		const struct segment *segment = &track->segment[at];
		const struct cause_note *note;

		if (segment->kind == SEGMENT_RUN)
			running += timeline_segment_end(track, at) - segment->begin;
		if (segment->kind != SEGMENT_WAIT)
			continue;
		note = segment_cause(timeline, segment);
		return note && cause_note_is_timeout(note) && running <= most ? at : SIZE_MAX;
	}
	return SIZE_MAX;
}

/*
 * Begin of the wait that the sleep `last` ends: of the first of the sleeps in which the task looked
 * for the child. Each is as long as the one before, or longer; only the last may be shorter, as it
 * is what remained of the limit. Fewer than POLL_LEAST_FEW show nothing: then it is the last one's.
 */
static nsec_t looks_begin(const struct timeline *timeline, const struct track *track, size_t last,
                          nsec_t born)
{
	size_t at = last, count = 1;
	nsec_t longest = NSEC_NEVER, length;

	for (size_t before = sleep_before(timeline, track, last); before != SIZE_MAX;
	     before = sleep_before(timeline, track, before)) {
		length = timeline_segment_end(track, before) - track->segment[before].begin;
		if (track->segment[before].begin < born ||
		    (length > longest && !poll_fits(longest, length)))
			break;
		longest = length;
		at = before;
		count++;
	}
	return track->segment[count < POLL_LEAST_FEW ? last : at].begin;
}

/* Adds the wait after which the task `by` sent the child a signal at t, if it is one for it. */
static void child_take_kill(struct timeline *timeline, uint32_t child, uint32_t by, nsec_t t)
{
	const struct track *killed = &timeline->track[child];
	const struct segment *wait;
	const struct cause_note *note;
	struct track *parent;
	nsec_t begin;
	size_t at;

	if (by == TRACK_NONE || track_known_parent(killed) == TRACK_NONE ||
	    !timeline_is_one_process(timeline, track_known_parent(killed), by))
		return;
	parent = &timeline->track[by];
	for (at = timeline_find(parent, t); at != SIZE_MAX; at--)
		if (parent->segment[at].kind == SEGMENT_WAIT)
			break;
	if (at == SIZE_MAX)
		return;
	/* the task's own limit must have ended a sleep that is for something else */
	wait = &parent->segment[at];
	note = segment_cause(timeline, wait);
	if (!note || (wait->detail & (uint8_t)~WAIT_FOR_WORK) != 'S' ||
	    !cause_note_is_chosen(note) || note->as.timer.call == CALL_NANOSLEEP ||
	    (note->as.timer.call == CALL_NONE && wait->timeout == TIMEOUT_RELATIVE))
		return;
	begin = looks_begin(timeline, parent, at, killed->born == NSEC_NEVER ? 0 : killed->born);
	if (killed->born == NSEC_NEVER || killed->born <= begin)
		series_add(&parent->series, SERIES_OF_KILL, &(struct sleep_series){
			.track = by,
			.begin = begin,
			.end = timeline_segment_end(parent, at),
			.child = child,
			.child_rank = POLL_CHILD_OUTLIVES,
			.count = 1,
		});
}

ORDER_FUNCTION(kill_compare, struct sleep_series, RISING(x, y, begin), RISING(x, y, child))

/* Of several children that one limit ended, the first stands for all. */
static void kills_sort(struct series_log *kills)
{
	size_t count = 0;

	array_sort(kills->series, kills->count, sizeof(*kills->series), kill_compare);
	for (size_t at = 0; at < kills->count; at++)
		if (!count || kills->series[count - 1].begin != kills->series[at].begin)
			kills->series[count++] = kills->series[at];
	kills->count = count;
}

void timeline_find_ended_children(struct timeline *timeline)
{
	/* after which a child was ended by its parent, or asked to end, as it did */
	for (uint32_t child = 0; child < timeline->track_count; child++) {
		const struct track *killed = &timeline->track[child];
		const struct track_death *death = &killed->death;

		if ((death->kind == DEATH_SIGNAL ||
		     (death->kind == DEATH_ASKED && !killed->is_open)) && !death->is_oom)
			child_take_kill(timeline, child, death->by, death->at);
		if (!killed->is_open)
			child_take_kill(timeline, child, killed->ask.by, killed->ask.at);
	}
	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (timeline->track[track].series)
			kills_sort(&timeline->track[track].series[SERIES_OF_KILL]);
}
