/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "limit.h"

#include <stdlib.h>

#include "base/data/array.h"
#include "tally/tally.h"

/* Tasks that wait for one another in a row; longer ones are cut. */
#define DEPTH_MAX 4096

/* Kinds of time beside those of causes. */
enum {SPENT_RUNNING = CAUSE_KIND_COUNT, SPENT_QUEUED, SPENT_KINDS};

struct spent {
	uint64_t track;
	nsec_t total;
	nsec_t by_kind[SPENT_KINDS];
	const struct cause_note *cause[SPENT_KINDS];
};

/* A task whose doing explains the replayed time from `low` on. */
struct limit_frame {
	uint32_t track;
	nsec_t at;  /* recorded: before this it is not explained yet */
	nsec_t low; /* replayed */
};

struct limit_walk {
	struct replay *replay;
	struct tally spent;
	struct limit_frame *frame;
	size_t depth, capacity;
};

static void frame_push(struct limit_walk *walk, uint32_t track, nsec_t at, nsec_t low)
{
	ARRAY_GROW(walk->frame, walk->depth, walk->capacity);
	walk->frame[walk->depth++] = (struct limit_frame){track, at, low};
}

static void spend(struct limit_walk *walk, uint32_t track, int kind, const struct cause_note *cause,
                  nsec_t time)
{
	struct spent *spent = tally_of(&walk->spent, track);

	if (time == 0 || !spent)
		return;
	spent->track = track;
	spent->total += time;
	spent->by_kind[kind] += time;
	spent->cause[kind] = cause;
}

/* What is left of a stretch of the task, without what was changed. */
static void segment_spend(struct limit_walk *walk, uint32_t index, size_t at, nsec_t begin,
                          nsec_t end, nsec_t time)
{
	const struct replay *replay = walk->replay;
	const struct timeline *timeline = replay->plan->timeline;
	const struct segment *segment = &timeline->track[index].segment[at];
	const struct cause_note *note = segment_cause(timeline, segment);
	nsec_t changed = speedup_within(replay->speedup, index, begin, end);
	bool is_left = changed * 2 <= end - begin;

	if (segment->kind == SEGMENT_RUN && is_left)
		spend(walk, index, SPENT_RUNNING, NULL, time);
	else if (segment->kind == SEGMENT_RUNNABLE)
		spend(walk, index, SPENT_QUEUED, NULL, time);
	else if (segment->kind == SEGMENT_WAIT && !speedup_takes_wait(replay->speedup, index, at) &&
	         (is_left || replay->speedup->spec->kind != WHAT_IF_LOCK))
		spend(walk, index, note ? note->kind : CAUSE_UNKNOWN, note, time);
}

/* Explains the segment of the innermost task that ends last before what is explained; a wait for
   another task goes on along that. */
static void walk_step(struct limit_walk *walk)
{
	struct limit_frame *top = &walk->frame[walk->depth - 1];
	struct timeline *timeline = walk->replay->plan->timeline;
	struct track *track = &timeline->track[top->track];
	size_t at = timeline_find(track, top->at);
	nsec_t begin, end, from, to, low;
	uint32_t index = top->track;
	struct dependence on;
	bool depends;

	end = top->at;
	if (at == SIZE_MAX || end <= walk->replay->plan->begin ||
	    end - replay_saved(walk->replay, index, end) <= top->low) {
		walk->depth--;
		return;
	}
	begin = nsec_max(track->segment[at].begin, walk->replay->plan->begin);
	to = end - replay_saved(walk->replay, index, end);
	from = begin - replay_saved_before(walk->replay, index, at);
	depends = track->segment[at].kind == SEGMENT_WAIT && walk->depth < DEPTH_MAX &&
	          end == timeline_segment_end(track, at) &&
	          replay_depends(timeline, index, at, &on);
	if (depends && on.poll) { /* all its sleeps were for that */
		begin = nsec_max(on.poll->begin, walk->replay->plan->begin);
		from = begin - replay_saved(walk->replay, index, begin);
	}
	low = nsec_max(from, top->low);
	top->at = begin;
	if (to <= low)
		return;
	if (depends) {
		nsec_t after = nsec_min(on.after, to - low);

		segment_spend(walk, index, at, end - after, end, after);
		if (to - after > low)
			frame_push(walk, on.track, on.at, low);
		return;
	}
	segment_spend(walk, index, at, begin, end, to - low);
}

static struct limit limit_choose(const struct limit_walk *walk)
{
	struct limit limit = {.track = TRACK_NONE};
	const struct spent *most = NULL;
	int kind = 0;

	for (size_t i = 0; i < walk->spent.count; i++) {
		const struct spent *spent = tally_at(&walk->spent, i);

		if (!most || spent->total > most->total)
			most = spent;
	}
	if (!most)
		return limit;
	for (int i = 0; i < SPENT_KINDS; i++)
		if (most->by_kind[i] > most->by_kind[kind])
			kind = i;
	return (struct limit){(uint32_t)most->track, most->cause[kind], kind == SPENT_QUEUED,
	                      most->total};
}

struct limit limit_find(struct replay *replay, uint32_t track, nsec_t t)
{
	struct limit_walk walk = {.replay = replay};
	struct limit limit;
	/* each step explains a segment of a task within a wait for it */
	size_t steps = 8 * replay->plan->step_count + 64;

	tally_init(&walk.spent, sizeof(struct spent), sizeof(uint64_t), TALLY_NO_LIMIT);
	frame_push(&walk, track, t, replay->plan->begin);
	while (walk.depth && steps-- > 0)
		walk_step(&walk);
	limit = limit_choose(&walk);
	tally_release(&walk.spent);
	free(walk.frame);
	return limit;
}
