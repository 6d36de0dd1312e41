/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forgetting the older half of the history, and showing what has not ended yet. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/xalloc.h"
#include "graph/aims/last_child.h"
#include "timeline.h"

/* Moves the last `left` elements to the front and frees the room of the `gone` ones before them.
   Returns the array, NULL if none is left. */
static void *array_trim(void *array, size_t gone, size_t left, size_t size)
{
	if (left == 0) {
		free(array);
		return NULL;
	}
	memmove(array, (char *)array + gone * size, left * size);
	return xrealloc(array, left * size);
}

/* Forgets the first `gone` elements of a growing array (base/data/array.h). */
#define ARRAY_TRIM(array, gone, count, capacity)                                                  \
	do {                                                                                      \
		if ((gone) == 0)                                                                  \
			break;                                                                    \
		(count) -= (gone);                                                                \
		(capacity) = (count);                                                             \
		(array) = array_trim((array), (gone), (count), sizeof(*(array)));                 \
	} while (0)

/* Forgets what was noted of waits, runs and priorities that ended by t. */
static void track_trim_notes(struct track *track, nsec_t t)
{
	struct aim_log *aims = track->aims;
	size_t ended;

	/* only folded history has these, and that is kept as a whole */
	assert(track->spurious_wakeup_count == 0);
	memory_log_drop(track->memory);
	if (aims) {
		ended = ARRAY_AFTER(aims->note, aims->count, end, t);
		ARRAY_TRIM(aims->note, (uint32_t)ended, aims->count, aims->capacity);
		aims->hint = 0;
	}
	ended = array_lower_bound_u64(track->sample, track->sample_count, sizeof(*track->sample),
	                              t);
	ARRAY_TRIM(track->sample, (uint32_t)ended, track->sample_count, track->sample_capacity);
	ended = ARRAY_AFTER(track->rank, track->rank_count, until, t);
	ARRAY_TRIM(track->rank, (uint32_t)ended, track->rank_count, track->rank_capacity);
}

/* Forgets segments that ended by t, and their places. */
static void track_trim_segments(struct track *track, nsec_t t)
{
	size_t gone = ARRAY_AFTER(track->segment, track->segment_count, begin, t), ended;

	gone -= gone > 0 && timeline_segment_end(track, gone - 1) > t; /* it has not ended */
	if (gone == 0)
		return;
	ended = array_lower_bound(track->place, track->place_count, sizeof(*track->place),
	                          (uint32_t)gone);
	ARRAY_TRIM(track->place, (uint32_t)ended, track->place_count, track->place_capacity);
	for (uint32_t i = 0; i < track->place_count; i++)
		track->place[i].segment -= (uint32_t)gone;
	ARRAY_TRIM(track->segment, gone, track->segment_count, track->segment_capacity);
	assert(!track->segment_count || timeline_segment_end(track, 0) > t);
	track->segments_gone += gone;
	track->is_trimmed = true;
	track->hint = 0;
}

/* Marks the old causes to which this one leads, as far as walks go, with their links in `kept`. */
static void links_keep(const struct timeline *timeline, const struct cause_note *note,
                       uint32_t *kept)
{
	for (unsigned depth = 0; depth < CAUSE_LINK_DEPTH; depth++) {
		uint32_t link = note->kind == CAUSE_TIMER  ? note->as.timer.request
		                : note->kind == CAUSE_DISK ? note->as.disk.work
		                : cause_note_has_work(note) ? note->as.work.reason
		                                            : 0;

		note = timeline_linked_cause(timeline, link);
		if (!note || link > timeline->half_cause)
			return;
		kept[note - timeline->cause] = link;
	}
}

/* Notes the cause again, as if it was new, if it is about to be forgotten. */
static void cause_renew(struct timeline *timeline, uint32_t *cause)
{
	struct cause_note note;

	if (*cause == CAUSE_NONE || *cause >= timeline->half_cause)
		return;
	/* NOLINTNEXTLINE: the array may move, so it is copied first */
	note = *timeline_cause_at(timeline, *cause);
	*cause = timeline_note_cause(timeline, &note);
}

/* Keeps of the causes before half_cause those to which others link, where they are found by their
   links; those to which segments and aims refer are noted again. */
static void causes_trim(struct timeline *timeline)
{
	size_t old = timeline->half_cause - timeline->causes_gone, gone = old;
	uint32_t *kept = xcalloc(old, sizeof(*kept));

	assert(timeline->half_cause >= timeline->causes_gone && old <= timeline->cause_count);
	map_clear(&timeline->cause_by_hash);
	memset(timeline->recent_cause, 0, sizeof(timeline->recent_cause));
	for (size_t index = 0; index < timeline->track_count; index++) {
		struct track *track = &timeline->track[index];

		for (size_t at = 0; at < track->segment_count; at++)
			cause_renew(timeline, &track->segment[at].cause);
		for (size_t at = 0; track->aims && at < track->aims->count; at++)
			cause_renew(timeline, &track->aims->note[at].cause);
	}
	for (size_t at = old; at < timeline->cause_count; at++)
		links_keep(timeline, &timeline->cause[at], kept);
	for (size_t at = old; at-- > 0;)
		if (kept[at]) {
			timeline->cause[--gone] = timeline->cause[at];
			kept[gone] = kept[at];
		}
	ARRAY_TRIM(timeline->cause, gone, timeline->cause_count, timeline->cause_capacity);
	free(timeline->old_link);
	timeline->old_link = array_trim(kept, gone, old - gone, sizeof(*kept));
	timeline->old_count = old - gone;
	timeline->causes_gone += (uint32_t)gone;
}

void timeline_trim(struct timeline *timeline)
{
	nsec_t end = 0;

	for (size_t i = 0; i < timeline->track_count; i++)
		end = nsec_max(end, timeline->track[i].end);
	/* where half of the room was not noticed, as all of the history came at once, all that has
	   ended is old */
	if (timeline->half == NSEC_NEVER)
		timeline_mark_half(timeline, end);
	timeline->place_count = 0;
	timeline->sample_count = 0;
	timeline->bytes = 0;
	for (size_t i = 0; i < timeline->track_count; i++) {
		struct track *track = &timeline->track[i];
		/* of a row of waits for children that may go on, nothing is forgotten */
		nsec_t t = nsec_min(timeline->half, track_row_left(track));

		assert(!track->is_shown_open);
		track_trim_notes(track, t);
		/* other series refer to causes, and are found again before the next walk */
		series_trim(&track->series, t);
		track_trim_segments(track, t);
		timeline->place_count += track->place_count;
		timeline->sample_count += track->sample_count;
		timeline->bytes += track->segment_count * sizeof(*track->segment) +
		                   track->rank_count * sizeof(*track->rank);
	}
	causes_trim(timeline);
	timeline->bytes += timeline->place_count * sizeof(struct segment_place) +
	                   timeline->sample_count * sizeof(struct run_sample) +
	                   timeline->cause_count * sizeof(*timeline->cause);
	timeline_begin_half(timeline);
}

void timeline_show_open(struct timeline *timeline, const struct span *span)
{
	struct track *track = &timeline->track[span->track];
	struct span shown = *span;

	if (!timeline->keep_segments)
		return;
	assert(!track->is_open && !track->is_shown_open);
	shown.is_open = true;
	shown.is_again = false;
	track_reach(track, &shown);
	timeline_put_segment(timeline, track, &shown);
	track->is_shown_open = true;
}

void timeline_hide_open(struct timeline *timeline, uint32_t index)
{
	struct track *track = &timeline->track[index];

	if (!track->is_shown_open)
		return;
	assert(track->segment_count > 0 && track->is_open);
	track->end = track->segment[--track->segment_count].begin;
	track->is_open = false;
	track->is_shown_open = false;
	track->hint = 0;
	if (track->segment_count > 0 || track->segments_gone > 0)
		return;
	track->begin = NSEC_NEVER;
	track->end = 0;
}
