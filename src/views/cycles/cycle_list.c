/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cycle_list.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "base/data/order.h"

void cycle_starts_add(struct cycle_starts *starts, const struct interval *interval)
{
	ARRAY_ADD(starts->start, starts->count, starts->capacity) = (struct cycle_start){
		.track = interval->task,
		.has_slept = interval->expiry.has_slept,
		.begin = interval->begin,
		.armed = interval->expiry.armed,
		.woken = interval->expiry.woken,
	};
}

ORDER_FUNCTION(start_compare, struct cycle_start, RISING(x, y, track), RISING(x, y, woken),
               RISING(x, y, begin))

void cycle_starts_sort(struct cycle_starts *starts)
{
	array_sort(starts->start, starts->count, sizeof(*starts->start), start_compare);
}

void cycle_starts_release(struct cycle_starts *starts)
{
	free(starts->start);
	*starts = (struct cycle_starts){0};
}

/* The index of the track's first start, or where it would be. */
static size_t starts_find(const struct cycle_starts *starts, uint32_t track)
{
	return array_lower_bound(starts->start, starts->count, sizeof(*starts->start), track);
}

bool cycle_starts_have(const struct cycle_starts *starts, uint32_t track)
{
	size_t at = starts_find(starts, track);

	return at < starts->count && starts->start[at].track == track;
}

/* The walk along one track. */
struct cycle_walk {
	const struct question *question;
	struct track *track;
	uint32_t index; /* of the track */
	nsec_t period;
	void (*visit)(void *state, uint32_t track, const struct cycle *cycle);
	void *state;
	struct cycle cycle; /* the present one */
	bool has_cycle;
};

static void walk_finish(struct cycle_walk *walk, nsec_t finish)
{
	struct cycle *cycle = &walk->cycle;

	if (!walk->has_cycle)
		return;
	cycle->finish = nsec_max(finish, cycle->begin);
	cycle->since = nsec_min(cycle->since, cycle->finish);
	cycle->woken = nsec_min(cycle->woken, cycle->finish);
	walk->has_cycle = false;
	if (question_contains(walk->question, cycle->begin))
		walk->visit(walk->state, walk->index, cycle);
}

static void walk_begin(struct cycle_walk *walk, nsec_t begin, nsec_t since, nsec_t woken)
{
	walk->cycle = (struct cycle){.begin = begin, .since = since, .woken = woken};
	walk->has_cycle = true;
}

/* When the task went to sleep until that timer, or would have. */
static nsec_t start_slept(const struct cycle_walk *walk, const struct cycle_start *start)
{
	size_t at = timeline_find(walk->track, start->woken);

	if (!start->has_slept || at == SIZE_MAX || walk->track->segment[at].kind != SEGMENT_WAIT)
		return start->armed;
	return walk->track->segment[at].begin;
}

static void walk_timers(struct cycle_walk *walk, const struct cycle_starts *starts)
{
	for (size_t i = starts_find(starts, walk->index);
	     i < starts->count && starts->start[i].track == walk->index; i++) {
		const struct cycle_start *start = &starts->start[i];
		nsec_t begin = start->begin;

		/* a time long ago only means "at once" */
		if (walk->has_cycle && begin < walk->cycle.begin)
			begin = nsec_max(start->armed, walk->cycle.begin);
		if (walk->has_cycle && begin - walk->cycle.begin < walk->period / 2)
			continue;
		walk_finish(walk, start_slept(walk, start));
		walk_begin(walk, begin, nsec_max(begin, start->armed), start->woken);
	}
}

static void walk_wakeups(struct cycle_walk *walk)
{
	const struct track *track = walk->track;

	for (size_t at = 0; at < track->segment_count; at++) {
		nsec_t end = timeline_segment_end(track, at);

		if (track->segment[at].kind != SEGMENT_WAIT || timeline_is_open(track, at))
			continue;
		walk_finish(walk, track->segment[at].begin);
		walk_begin(walk, end, end, end);
	}
}

/* Whether the last cycle, which no timer followed, has become too long for certain: then it
   finishes where the task last went to sleep, or not at all. */
static void walk_end(struct cycle_walk *walk)
{
	const struct track *track = walk->track;
	size_t last = track->segment_count - 1;
	nsec_t until = track->end;

	if (!walk->has_cycle || walk->period == 0 || !timeline_is_open(track, last))
		return;
	walk->cycle.is_open = track->segment[last].kind != SEGMENT_WAIT;
	if (!walk->cycle.is_open)
		until = track->segment[last].begin;
	if (until > walk->cycle.begin && until - walk->cycle.begin > walk->period)
		walk_finish(walk, until);
}

void cycles_visit(const struct cycle_starts *starts, const struct question *question,
                  uint32_t track, nsec_t period,
                  void (*visit)(void *state, uint32_t track, const struct cycle *cycle),
                  void *state)
{
	struct cycle_walk walk = {
		.question = question,
		.track = &question->timeline->track[track],
		.index = track,
		.period = period,
		.visit = visit,
		.state = state,
	};

	if (walk.track->segment_count == 0)
		return;
	if (cycle_starts_have(starts, track))
		walk_timers(&walk, starts);
	else if (period)
		walk_wakeups(&walk);
	walk_end(&walk);
}
