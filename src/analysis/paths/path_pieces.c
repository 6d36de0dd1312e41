/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "path_pieces.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/order.h"
#include "base/xalloc.h"
#include "path_task.h"

static void path_pieces_on_part(void *state, const struct part *part)
{
	struct path_pieces *pieces = state;
	struct path_piece *last = pieces->count ? &pieces->piece[pieces->count - 1] : NULL;

	part_log_add(&pieces->log, part);
	/* the walk reports the latest first */
	if (last && last->track == part->track && last->begin == part->end) {
		last->begin = part->begin;
		return;
	}
	ARRAY_GROW(pieces->piece, pieces->count, pieces->capacity);
	pieces->piece[pieces->count++] = (struct path_piece){part->begin, part->end, part->track};
}

ORDER_FUNCTION(piece_compare, struct path_piece, RISING(x, y, track), RISING(x, y, begin))

void path_pieces_make(struct path_pieces *pieces, const struct question *question)
{
	const struct walk_visitor visitor = {.state = pieces, .on_part = path_pieces_on_part};
	struct walk_result result = {0};
	struct path_window window = {
		.begin = question->resolved->begin, .end = question->resolved->end};
	size_t tracks = question->timeline->track_count, at = 0;

	*pieces = (struct path_pieces){0};
	pieces->track = path_is_left_out(question) ? TRACK_NONE
	                                           : path_task_find(question, &pieces->why);
	if (pieces->track != TRACK_NONE)
		window = path_task_window(question, pieces->track);
	pieces->begin = window.begin;
	pieces->end = window.end;
	part_log_init(&pieces->log, question->timeline);
	if (pieces->track != TRACK_NONE && pieces->begin < pieces->end)
		walk(question->timeline, pieces->track, pieces->begin, pieces->end, &visitor,
		     &result);
	array_sort(pieces->piece, pieces->count, sizeof(*pieces->piece), piece_compare);
	pieces->first = xcalloc(tracks + 1, sizeof(*pieces->first));
	for (size_t index = 0; index <= tracks; index++) {
		while (at < pieces->count && pieces->piece[at].track < index)
			at++;
		pieces->first[index] = at;
	}
}

void path_pieces_release(struct path_pieces *pieces)
{
	part_log_release(&pieces->log);
	free(pieces->piece);
	free(pieces->first);
}

size_t path_pieces_find(const struct path_pieces *pieces, uint32_t track, nsec_t t)
{
	size_t first = pieces->first[track];

	return first + ARRAY_AFTER(pieces->piece + first, pieces->first[track + 1] - first, end, t);
}

/* Sorts tracks by weight, to select those with a row. */
ORDER_FUNCTION(track_compare_weight, struct picture_track, FALLING(x, y, is_of_path),
               FALLING(x, y, on_path), FALLING(x, y, is_asked), FALLING(x, y, active),
               RISING(x, y, track))

static int track_compare_place(const void *a, const void *b)
{
	const struct picture_track *x = a, *y = b;

	if (x->is_of_path == y->is_of_path && x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return track_compare_weight(a, b);
}

void picture_tracks_order(struct picture_track *tracks, size_t count)
{
	array_sort(tracks, count, sizeof(*tracks), track_compare_place);
}

struct picture_track *picture_tracks_choose(const struct path_pieces *pieces,
                                            const struct question *question,
                                            const struct picture_frame *frame,
                                            size_t *ret_count)
{
	const struct timeline *timeline = question->timeline;
	struct picture_track *tracks = xcalloc(timeline->track_count, sizeof(*tracks));
	size_t count = 0;

	for (uint32_t index = 0; index < timeline->track_count; index++) {
		struct track *track = &timeline->track[index];
		bool is_there = track->begin < frame->end && track->end > frame->begin;
		struct picture_track row = {
			.track = index,
			.first = NSEC_NEVER,
			.is_of_path = index == pieces->track,
			.is_asked = question->resolved->is_asked[index] &&
			            !track_is_of_recorder(question, index),
		};

		for (size_t at = pieces->first[index]; at < pieces->first[index + 1]; at++) {
			row.first = nsec_min(row.first, pieces->piece[at].begin);
			row.on_path += pieces->piece[at].end - pieces->piece[at].begin;
		}
		if (row.on_path == 0 &&
		    (!is_there || track->is_idle || !(frame->is_all || row.is_asked)))
			continue;
		row.active = track_time_in(track, 1u << SEGMENT_RUN | 1u << SEGMENT_RUNNABLE,
		                           frame->begin, frame->end);
		tracks[count++] = row;
	}
	array_sort(tracks, count, sizeof(*tracks), track_compare_weight);
	*ret_count = count;
	return tracks;
}
