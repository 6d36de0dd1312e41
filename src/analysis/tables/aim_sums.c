/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "aim_sums.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/wait_list.h"
#include "base/data/array.h"
#include "graph/aims/aim.h"
#include "graph/aims/awaited.h"

/* The time that one track waited for aims of one kind. */
struct aim_sum {
	uint64_t key; /* track << 8 | enum aim_kind */
	nsec_t total;
};

void aim_sums_init(struct aim_sums *sums, const struct question *question, uint32_t kinds,
                   bool is_filtered)
{
	*sums = (struct aim_sums){
		.question = question,
		.kinds = kinds & ~(1u << AIM_NONE),
		.is_filtered = is_filtered,
	};
	tally_init(&sums->sums, sizeof(struct aim_sum), sizeof(uint64_t), TALLY_NO_LIMIT);
}

void aim_sums_release(struct aim_sums *sums)
{
	free(sums->taken);
	tally_release(&sums->sums);
	*sums = (struct aim_sums){0};
}

/* Takes the segments of the track that have ended; at the end of the trace, also the last one. */
static void track_take(struct aim_sums *sums, uint32_t index, struct aim_cache *cache)
{
	const struct question *question = sums->question;
	const struct timeline *timeline = question->timeline;
	const struct track *track = &timeline->track[index];
	/* then only the end of a wait shows what it was for, and many in a row end alike */
	bool is_alone = !track->aims && !track->series;
	size_t open_at = track->is_open ? track->segment_count - 1 : SIZE_MAX;
	const struct segment *segment = track->segment, *last = NULL;
	struct segment_range range;
	nsec_t by_kind[AIM_KIND_COUNT] = {0};
	enum aim_kind kind = AIM_NONE;

	ARRAY_REACH(sums->taken, sums->taken_count, sums->taken_capacity, index);
	range = track_take_known(timeline, index, &sums->taken[index]);
	for (size_t at = range.begin; at < range.end; at++) {
		nsec_t begin, end;

		if (segment[at].kind != SEGMENT_WAIT)
			continue;
		if (!last || segment[at].cause != last->cause ||
		    segment[at].detail != last->detail || at == open_at) {
			kind = timeline_aim_kind_cached(timeline, index, at, cache);
			last = is_alone ? &segment[at] : NULL;
		}
		if (!(sums->kinds & 1u << kind) ||
		    (sums->is_filtered && !wait_list_asks(question, index, at)))
			continue;
		begin = segment[at].begin;
		end = timeline_segment_end(track, at);
		if (!question->resolved || question_clip(question, &begin, &end))
			by_kind[kind] += end - begin;
	}
	for (size_t i = 0; i < AIM_KIND_COUNT; i++)
		if (by_kind[i])
			((struct aim_sum *)tally_of(&sums->sums, (uint64_t)index << 8 | i))
				->total += by_kind[i];
}

void aim_sums_fold(struct aim_sums *sums)
{
	struct aim_cache cache = {0};

	if (!sums->question)
		return;
	for (uint32_t track = 0; track < sums->question->timeline->track_count; track++)
		if (question_asks_track(sums->question, track))
			track_take(sums, track, &cache);
}

void aim_sums_finish(struct aim_sums *sums)
{
	if (sums->question && sums->question->timeline->keep_segments)
		aim_sums_fold(sums);
}

void aim_sums_total(const struct aim_sums *sums, uint32_t kinds, nsec_t ret[AIM_KIND_COUNT])
{
	const struct aim_sum *sum;

	memset(ret, 0, AIM_KIND_COUNT * sizeof(*ret));
	TALLY_EACH(&sums->sums, sum)
		if (sums->question->resolved->is_asked[sum->key >> 8] &&
		    kinds & 1u << (sum->key & 0xff))
			ret[sum->key & 0xff] += sum->total;
}

void aim_sums_report(const struct aim_sums *sums, uint32_t kinds, const struct output *to)
{
	nsec_t total[AIM_KIND_COUNT];

	if (!sums->question)
		return;
	aim_sums_total(sums, kinds, total);
	output_field(to, "by_aim", NULL, &(struct cell){.type = CELL_BY_AIM, .by_aim = total});
}
