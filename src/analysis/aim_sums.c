/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/tables/aim_sums.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "graph/aim.h"
#include "graph/end_of_known.h"
#include "wait_list.h"

#define NO_MORE UINT32_MAX

struct aim_taken {
	size_t segments; /* that are taken, forgotten ones included */
	uint32_t first;  /* sum of the track; NO_MORE: none */
};

/* The time that one track waited for aims of one kind. */
struct aim_sum {
	nsec_t total;
	uint32_t next; /* of the track */
	uint8_t kind;  /* enum aim_kind */
};

void aim_sums_init(struct aim_sums *sums, const struct question *question, bool is_filtered)
{
	*sums = (struct aim_sums){.question = question, .is_filtered = is_filtered};
}

void aim_sums_release(struct aim_sums *sums)
{
	free(sums->taken);
	free(sums->sum);
	*sums = (struct aim_sums){0};
}

static struct aim_taken *taken_of(struct aim_sums *sums, uint32_t index)
{
	while (index >= sums->taken_count) {
		ARRAY_GROW(sums->taken, sums->taken_count, sums->taken_capacity);
		sums->taken[sums->taken_count++] = (struct aim_taken){.first = NO_MORE};
	}
	return &sums->taken[index];
}

static void sums_add(struct aim_sums *sums, struct aim_taken *taken, unsigned kind, nsec_t time)
{
	uint32_t at = taken->first;

	if (kind == AIM_NONE)
		return;
	while (at != NO_MORE && sums->sum[at].kind != kind)
		at = sums->sum[at].next;
	if (at == NO_MORE) {
		ARRAY_GROW(sums->sum, sums->count, sums->capacity);
		at = (uint32_t)sums->count++;
		sums->sum[at] = (struct aim_sum){.next = taken->first, .kind = (uint8_t)kind};
		taken->first = at;
	}
	sums->sum[at].total += time;
}

static bool wait_counts(const struct aim_sums *sums, uint32_t index, size_t at, nsec_t *begin,
                        nsec_t *end)
{
	const struct question *question = sums->question;
	const struct track *track = &question->timeline->track[index];

	*begin = track->segment[at].begin;
	*end = timeline_segment_end(track, at);
	if (track->segment[at].kind != SEGMENT_WAIT ||
	    (sums->is_filtered && !wait_list_asks(question, index, at)))
		return false;
	return !question->resolved || question_clip(question, begin, end);
}

/* Takes the segments of the track that have ended; at the end of the trace, also the last one. */
static void track_take(struct aim_sums *sums, uint32_t index)
{
	const struct timeline *timeline = sums->question->timeline;
	const struct track *track = &timeline->track[index];
	struct aim_taken *taken = taken_of(sums, index);
	size_t count = track->segment_count, done = taken->segments;
	size_t at = done > track->segments_gone ? done - track->segments_gone : 0;
	nsec_t known = track_end_of_known(timeline, index), begin, end;

	while (count > at && track->segment[count - 1].begin >= known)
		count--;
	for (; at < count; at++)
		if (wait_counts(sums, index, at, &begin, &end) && begin < end)
			sums_add(sums, taken, timeline_aim(timeline, index, at).kind, end - begin);
	taken->segments = track->segments_gone + at;
}

static void tracks_take(struct aim_sums *sums)
{
	for (uint32_t track = 0; track < sums->question->timeline->track_count; track++)
		if (question_asks_track(sums->question, track))
			track_take(sums, track);
}

void aim_sums_fold(struct aim_sums *sums)
{
	tracks_take(sums);
}

void aim_sums_finish(struct aim_sums *sums)
{
	if (sums->question->timeline->keep_segments)
		tracks_take(sums);
}

void aim_sums_total(const struct aim_sums *sums, uint32_t kinds, nsec_t ret[AIM_KIND_COUNT])
{
	for (int kind = 0; kind < AIM_KIND_COUNT; kind++)
		ret[kind] = 0;
	for (size_t track = 0; track < sums->taken_count; track++) {
		uint32_t at = sums->question->resolved->is_asked[track] ? sums->taken[track].first
		                                                         : NO_MORE;

		for (; at != NO_MORE; at = sums->sum[at].next)
			if (kinds & 1u << sums->sum[at].kind)
				ret[sums->sum[at].kind] += sums->sum[at].total;
	}
}

void aim_sums_report(const struct aim_sums *sums, uint32_t kinds, const struct output *to)
{
	nsec_t total[AIM_KIND_COUNT];

	aim_sums_total(sums, kinds, total);
	output_field(to, "by_aim", NULL, &(struct cell){.type = CELL_BY_AIM, .by_aim = total});
}
