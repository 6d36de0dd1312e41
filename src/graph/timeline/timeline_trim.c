/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Forgetting the older half of the history, and showing what has not ended yet. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
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

/* How many segments had ended by t. */
static size_t segments_until(const struct track *track, nsec_t t)
{
	size_t begun = ARRAY_AFTER(track->segment, track->segment_count, begin, t);

	return begun - (begun > 0 && timeline_segment_end(track, begun - 1) > t);
}

static void places_trim(struct track *track, size_t segments)
{
	uint32_t gone = (uint32_t)array_lower_bound(track->place, track->place_count,
	                                            sizeof(*track->place), (uint32_t)segments);

	ARRAY_TRIM(track->place, gone, track->place_count, track->place_capacity);
	for (uint32_t i = 0; i < track->place_count; i++) {
		assert(track->place[i].segment >= segments);
		track->place[i].segment -= (uint32_t)segments;
	}
}

static void samples_trim(struct track *track, nsec_t t)
{
	uint32_t gone = (uint32_t)array_lower_bound_u64(track->sample, track->sample_count,
	                                                sizeof(*track->sample), t);

	ARRAY_TRIM(track->sample, gone, track->sample_count, track->sample_capacity);
}

/* Forgets the ranks that had been replaced by t. */
static void ranks_trim(struct track *track, nsec_t t)
{
	uint32_t gone = (uint32_t)ARRAY_AFTER(track->rank, track->rank_count, until, t);

	ARRAY_TRIM(track->rank, gone, track->rank_count, track->rank_capacity);
}

/* Of a row of waits for children that may go on (graph/aims/last_child.h), all is kept. */
static nsec_t track_trim_end(const struct track *track, nsec_t t)
{
	return track->series
	               ? nsec_min(t, series_left_begin(&track->series[SERIES_OF_CHILDREN]))
	               : t;
}

static void track_trim(struct track *track, nsec_t t)
{
	size_t gone;

	t = track_trim_end(track, t);
	gone = segments_until(track, t);

	/* only folded history has these, and that is kept as a whole */
	assert(track->spurious_wakeup_count == 0);
	memory_log_drop(track->memory);
	aim_log_trim(track->aims, t);
	samples_trim(track, t);
	ranks_trim(track, t);
	/* they refer to causes, and are found again before the next walk */
	series_forget(&track->series);
	if (gone == 0)
		return;
	places_trim(track, gone);
	ARRAY_TRIM(track->segment, gone, track->segment_count, track->segment_capacity);
	assert(!track->segment_count || timeline_segment_end(track, 0) > t);
	track->segments_gone += gone;
	track->is_trimmed = true;
	track->hint = 0;
}

/*
 * The causes before half_cause are about to be forgotten. Order of calls: begin, keep for each of
 * these that a segment has, end; only then may they be freed.
 */
struct cause_links {
	struct map moved; /* from links to old causes to links to their copies */
	size_t moves_before;
};

/* The member that is a link; NULL: causes of that kind have none. */
static uint32_t *note_link(struct cause_note *note)
{
	if (note->kind == CAUSE_TIMER)
		return &note->as.timer.request;
	if (note->kind == CAUSE_DISK)
		return &note->as.disk.work;
	return cause_note_has_work(note) ? &note->as.work.reason : NULL;
}

/* The link's target after the old causes are gone; notes the cause again, and the links behind it
   as far as they are kept. */
static uint32_t link_move(struct cause_links *links, struct timeline *timeline, uint32_t link,
                          unsigned depth)
{
	struct cause_note note;
	uint32_t to, *behind;

	assert(depth <= CAUSE_LINK_DEPTH);
	if (link && link <= timeline->causes_gone)
		link = timeline_moved_link(timeline, links->moves_before, link);
	if (link == 0 || link > timeline->half_cause)
		return link;
	to = map_get(&links->moved, link);
	if (to != MAP_NONE)
		return to;
	if (depth == CAUSE_LINK_DEPTH)
		return 0;
	/* NOLINTNEXTLINE: the array may move, so it is copied first */
	note = *timeline_cause_at(timeline, link - 1);
	behind = note_link(&note);
	if (behind)
		*behind = link_move(links, timeline, *behind, depth + 1);
	to = timeline_note_cause(timeline, &note) + 1;
	map_put(&links->moved, link, to);
	ARRAY_GROW(timeline->cause_move, timeline->cause_move_count,
	           timeline->cause_move_capacity);
	timeline->cause_move[timeline->cause_move_count++] = (struct cause_move){link, to};
	return to;
}

/* Notes the cause again, as if it was new, and what it links to; returns its new index. */
static uint32_t cause_links_keep(struct cause_links *links, struct timeline *timeline,
                                 uint32_t cause)
{
	struct cause_note note = *timeline_cause_at(timeline, cause);
	uint32_t *link = note_link(&note);

	assert(cause >= timeline->causes_gone && cause < timeline->half_cause);
	if (link)
		*link = link_move(links, timeline, *link, 0);
	return timeline_note_cause(timeline, &note);
}

/* Updates the links of the causes that stay where they are. */
static void links_update_young(struct cause_links *links, struct timeline *timeline)
{
	for (size_t at = timeline->half_cause - timeline->causes_gone; at < timeline->cause_count;
	     at++) {
		uint32_t *link = note_link(&timeline->cause[at]), to;

		if (!link || *link == 0 || *link > timeline->half_cause)
			continue;
		to = link_move(links, timeline, *link, 0);
		*note_link(&timeline->cause[at]) = to; /* the array may have moved */
	}
}

static int move_compare(const void *first, const void *second)
{
	const struct cause_move *a = first, *b = second;

	return RISING(a, b, from);
}

static void cause_links_end(struct cause_links *links, struct timeline *timeline)
{
	size_t count = 0;

	links_update_young(links, timeline);
	/* what moved before may have moved again, or be forgotten now */
	for (size_t i = 0; i < timeline->cause_move_count; i++) {
		struct cause_move move = timeline->cause_move[i];

		if (i < links->moves_before && move.to <= timeline->half_cause)
			move.to = map_get(&links->moved, move.to);
		if (move.to != MAP_NONE && move.to != 0)
			timeline->cause_move[count++] = move;
	}
	timeline->cause_move_count = count;
	array_sort(timeline->cause_move, count, sizeof(*timeline->cause_move), move_compare);
	map_release(&links->moved);
}

/* Causes that segments still refer to are noted again, as if they were new. */
static void causes_trim(struct timeline *timeline)
{
	uint32_t gone = timeline->half_cause - timeline->causes_gone;
	struct cause_links links;

	assert(timeline->half_cause >= timeline->causes_gone && gone <= timeline->cause_count);
	map_clear(&timeline->cause_by_hash);
	memset(timeline->recent_cause, 0, sizeof(timeline->recent_cause));
	map_init(&links.moved);
	links.moves_before = timeline->cause_move_count;
	for (size_t index = 0; index < timeline->track_count; index++) {
		struct track *track = &timeline->track[index];

		for (size_t at = 0; at < track->segment_count; at++) {
			struct segment *segment = &track->segment[at];

			if (segment->cause != CAUSE_NONE && segment->cause < timeline->half_cause)
				segment->cause =
					cause_links_keep(&links, timeline, segment->cause);
		}
		for (size_t at = 0; track->aims && at < track->aims->count; at++) {
			uint32_t *cause = &track->aims->note[at].cause;

			if (*cause != CAUSE_NONE && *cause < timeline->half_cause)
				*cause = cause_links_keep(&links, timeline, *cause);
		}
	}
	cause_links_end(&links, timeline);
	ARRAY_TRIM(timeline->cause, gone, timeline->cause_count, timeline->cause_capacity);
	timeline->causes_gone += gone;
}

/* If half of the room was not noticed, because all of the history came at once, all that has ended
   is old. */
static void half_settle(struct timeline *timeline)
{
	if (timeline->half != NSEC_NEVER)
		return;
	timeline->half = 0;
	for (size_t i = 0; i < timeline->track_count; i++)
		timeline->half = nsec_max(timeline->half, timeline->track[i].end);
	timeline->half_cause = timeline->causes_gone + (uint32_t)timeline->cause_count;
}

void timeline_trim(struct timeline *timeline)
{
	half_settle(timeline);
	timeline->place_count = 0;
	timeline->sample_count = 0;
	timeline->bytes = 0;
	for (size_t i = 0; i < timeline->track_count; i++) {
		struct track *track = &timeline->track[i];

		assert(!track->is_shown_open);
		track_trim(track, timeline->half);
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
	uint32_t cause = CAUSE_NONE;

	if (!timeline->keep_segments)
		return;
	assert(!track->is_open && !track->is_shown_open);
	assert(track->begin == NSEC_NEVER || span->begin == track->end);
	if (track->begin == NSEC_NEVER)
		track->begin = span->begin;
	if (span->cause)
		cause = timeline_add_cause(timeline, span->cause);
	ARRAY_GROW_FROM(track->segment, track->segment_count, track->segment_capacity, 3);
	track->segment[track->segment_count++] = (struct segment){
		.begin = span->begin,
		.cause = cause,
		.kind = (unsigned)span->kind & 0x7u,
		.timeout = span->timeout & 0x7u,
		.is_quiet = span->is_quiet,
		.detail = span->detail,
		.cpu = (unsigned)span->cpu & 0x7fffu,
		.is_doubtful = span->is_doubtful,
	};
	track->end = span->end;
	track->is_open = true;
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
