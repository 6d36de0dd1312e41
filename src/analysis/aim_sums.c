/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim_sums.h"

#include <stdlib.h>

#include "base/array.h"
#include "graph/aim.h"
#include "graph/end_of_known.h"
#include "wait_list.h"

struct aim_sum {
	size_t segments; /* that are taken, forgotten ones included */
	nsec_t total[AIM_KIND_COUNT];
};

void aim_sums_init(struct aim_sums *sums, const struct question *question, bool is_filtered)
{
	*sums = (struct aim_sums){.question = question, .is_filtered = is_filtered};
}

void aim_sums_release(struct aim_sums *sums)
{
	free(sums->track);
	*sums = (struct aim_sums){0};
}

static struct aim_sum *sum_of(struct aim_sums *sums, uint32_t index)
{
	while (index >= sums->count) {
		ARRAY_GROW(sums->track, sums->count, sums->capacity);
		sums->track[sums->count++] = (struct aim_sum){0};
	}
	return &sums->track[index];
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
	struct aim_sum *sum = sum_of(sums, index);
	size_t count = track->segment_count;
	size_t at = sum->segments > track->segments_gone ? sum->segments - track->segments_gone : 0;
	nsec_t known = track_end_of_known(timeline, index), begin, end;

	while (count > at && track->segment[count - 1].begin >= known)
		count--;
	for (; at < count; at++)
		if (wait_counts(sums, index, at, &begin, &end))
			sum->total[timeline_aim(timeline, index, at).kind] += end - begin;
	sum->segments = track->segments_gone + at;
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
	for (size_t track = 0; track < sums->count; track++)
		for (int kind = 0; kind < AIM_KIND_COUNT; kind++)
			if (sums->question->resolved->is_asked[track] && kinds & 1u << kind)
				ret[kind] += sums->track[track].total[kind];
}

void aim_sums_report(const struct aim_sums *sums, uint32_t kinds, const struct output *to)
{
	nsec_t total[AIM_KIND_COUNT];

	aim_sums_total(sums, kinds, total);
	output_field(to, "by_aim", NULL, &(struct cell){.type = CELL_BY_AIM, .by_aim = total});
}
