/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "replay.h"

#include <assert.h>
#include <stdlib.h>

#include "base/data/order.h"
#include "base/data/array.h"
#include "base/xalloc.h"
#include "graph/aims/poll.h"
#include "graph/timeline/timeline_tasks.h"

/* Tracks are forked by others, and these by others. */
#define ANCESTORS_MAX 64

static int step_compare(const void *a, const void *b)
{
	const struct replay_step *x = a, *y = b;

	return ORDER_BY(RISING(x, y, at), RISING(x, y, track), RISING(x, y, segment));
}

static void plan_add(struct replay_plan *plan, uint32_t index)
{
	const struct track *track = &plan->timeline->track[index];

	for (size_t at = 0; at < track->segment_count; at++)
		if (track->segment[at].begin < plan->end)
			plan->step[plan->step_count++] = (struct replay_step){
				nsec_min(timeline_segment_end(track, at), plan->end), index,
				(uint32_t)at};
}

void replay_plan_init(struct replay_plan *plan, struct timeline *timeline, nsec_t begin,
                      nsec_t end)
{
	size_t segments = 0;

	*plan = (struct replay_plan){.timeline = timeline, .begin = begin, .end = end};
	plan->first = xcalloc(timeline->track_count + 1, sizeof(*plan->first));
	for (size_t i = 0; i < timeline->track_count; i++) {
		plan->first[i] = segments;
		segments += timeline->track[i].segment_count;
	}
	plan->first[timeline->track_count] = segments;
	plan->step = xcalloc(segments + 1, sizeof(*plan->step));
	for (uint32_t i = 0; i < timeline->track_count; i++)
		if (!timeline->track[i].is_idle)
			plan_add(plan, i);
	if (plan->step_count)
		qsort(plan->step, plan->step_count, sizeof(*plan->step), step_compare);
}

void replay_plan_release(struct replay_plan *plan)
{
	free(plan->first);
	free(plan->step);
}

static nsec_t *saved_slot(const struct replay *replay, uint32_t track, size_t at)
{
	return &replay->saved[replay->plan->first[track] + at];
}

static nsec_t saves(const struct replay *replay, nsec_t length)
{
	return what_if_saves(replay->speedup->spec, length);
}

/* The begin of the segment, or of the plan, whichever is later. */
static nsec_t segment_begin(const struct replay *replay, uint32_t track, size_t at)
{
	return nsec_max(replay->plan->timeline->track[track].segment[at].begin,
	                replay->plan->begin);
}

static nsec_t saved_until(struct replay *replay, uint32_t index, nsec_t t, unsigned depth);

/* A task begins as much earlier as the one that forked it comes to that. */
static nsec_t saved_at_birth(struct replay *replay, uint32_t index, unsigned depth)
{
	const struct track *track = &replay->plan->timeline->track[index];
	struct replay_track *of = &replay->track[index];
	uint32_t creator = track_creator(track);
	nsec_t created = track_created(track);

	if (of->has_begun)
		return of->at_birth;
	of->has_begun = true;
	if (creator != TRACK_NONE && creator != index && created != NSEC_NEVER &&
	    created > replay->plan->begin && depth < ANCESTORS_MAX)
		of->at_birth = saved_until(replay, creator, created, depth + 1);
	return of->at_birth;
}

/* Before segment `at`, or before what is not replayed yet. */
static nsec_t saved_before(struct replay *replay, uint32_t index, size_t at, unsigned depth)
{
	size_t known = at < replay->track[index].done ? at : replay->track[index].done;

	return known ? *saved_slot(replay, index, known - 1) : saved_at_birth(replay, index, depth);
}

static nsec_t saved_until(struct replay *replay, uint32_t index, nsec_t t, unsigned depth)
{
	struct track *track = &replay->plan->timeline->track[index];
	size_t at = t > replay->plan->begin ? timeline_find(track, t) : SIZE_MAX;
	nsec_t begin, before;

	if (t <= replay->plan->begin)
		return 0;
	if (at == SIZE_MAX)
		return saved_at_birth(replay, index, depth);
	if (at < replay->track[index].done && t >= timeline_segment_end(track, at))
		return *saved_slot(replay, index, at);
	before = saved_before(replay, index, at, depth);
	begin = segment_begin(replay, index, at);
	if (track->segment[at].kind != SEGMENT_RUN || begin >= t)
		return before;
	return before + saves(replay, speedup_within(replay->speedup, index, begin, t));
}

nsec_t replay_saved(struct replay *replay, uint32_t track, nsec_t t)
{
	return saved_until(replay, track, t, 0);
}

nsec_t replay_saved_before(struct replay *replay, uint32_t track, size_t at)
{
	return replay->plan->timeline->track[track].segment[at].begin <= replay->plan->begin
	               ? 0 : saved_before(replay, track, at, 0);
}

/* Whether the track's wait that ends then is the last one of a series of polls for the end of
   another task. */
static bool poll_depends(const struct timeline *timeline, const struct track *track, nsec_t end,
                         struct dependence *ret)
{
	const struct series_log *log = track->series ? &track->series[SERIES_OF_POLLS] : NULL;
	size_t at = log ? ARRAY_AFTER(log->series, log->count, end, end - 1) : 0;
	const struct sleep_series *poll;
	uint32_t other;

	if (!log || at == log->count || log->series[at].end != end)
		return false;
	poll = &log->series[at];
	other = poll_ended_by(poll, timeline);
	if (other == TRACK_NONE || timeline->track[other].end > end)
		return false;
	*ret = (struct dependence){.track = other, .at = timeline->track[other].end,
	                           .after = end - timeline->track[other].end, .poll = poll};
	return true;
}

bool replay_depends(const struct timeline *timeline, uint32_t index, size_t at,
                    struct dependence *ret)
{
	const struct track *track = &timeline->track[index];
	const struct cause_note *note = segment_cause(timeline, &track->segment[at]);
	nsec_t end = timeline_segment_end(track, at);

	if (!note || timeline_is_open(track, at))
		return false;
	if (poll_depends(timeline, track, end, ret))
		return true;
	if (note->is_walked && note->waker != TRACK_NONE && note->waker != index) {
		*ret = (struct dependence){.track = note->waker, .at = end};
		return true;
	}
	if (note->originator == TRACK_NONE || note->originator == index ||
	    note->origin == NSEC_NEVER || note->origin <= track->segment[at].begin ||
	    note->origin >= end)
		return false;
	*ret = (struct dependence){.track = note->originator, .at = note->origin,
	                           .after = end - note->origin};
	return true;
}

/* Whether nothing that the recording's tasks do makes the wait end sooner. */
static bool wait_is_fixed(const struct timeline *timeline, uint32_t index, size_t at)
{
	const struct segment *segment = &timeline->track[index].segment[at];
	const struct cause_note *note = segment_cause(timeline, segment);

	if (segment->kind != SEGMENT_WAIT || !note)
		return false;
	if (note->kind == CAUSE_NET &&
	    (segment->detail & WAIT_FOR_WORK || cause_note_is_work(note)))
		return true;
	return own_sleep_of(timeline, index, at) == OWN_SLEEP_UNTIL;
}

/* What is saved at the end of a wait inside a lock, which is imagined to be held for less time
   whatever its owner does meanwhile; 0: the wait is not inside. */
static nsec_t saved_inside(const struct replay *replay, uint32_t index, size_t at, nsec_t before,
                           nsec_t length)
{
	nsec_t begin = segment_begin(replay, index, at), within = 0;

	if (replay->speedup->spec->kind == WHAT_IF_LOCK)
		within = speedup_within(replay->speedup, index, begin, begin + length);
	return within ? before + saves(replay, within) : 0;
}

/* The part of the period by which the end must lie before a look to be seen by it for sure. */
#define LOOK_MARGIN 4

/* At the end of polling. The task looks when it would have looked anyway: it sees the end of the
   other one at the first look after that. Its sleeps before the last one may be gone, too. */
static nsec_t saved_by_poll(struct replay *replay, uint32_t index, const struct dependence *on,
                            nsec_t before)
{
	const struct sleep_series *poll = on->poll;
	nsec_t begin = nsec_max(poll->begin, replay->plan->begin);
	nsec_t most = saved_until(replay, index, begin, 0) + poll->end - begin;
	nsec_t sooner = saved_until(replay, on->track, on->at, 0), looks = 0;
	nsec_t period = nsec_max((poll->end - poll->begin) / poll->count, 1);
	nsec_t margin = replay->keeps_queues ? period / LOOK_MARGIN : 0;

	if (sooner > before + margin)
		looks = (on->after + sooner - before - margin) / period - on->after / period;
	return nsec_min(most, nsec_min(before, on->after + sooner) + looks * period);
}

/* At the end of a wait of that length, before which so much was saved. */
static nsec_t saved_by_wait(struct replay *replay, uint32_t index, size_t at, nsec_t before,
                            nsec_t length)
{
	const struct timeline *timeline = replay->plan->timeline;
	bool is_changed = speedup_takes_wait(replay->speedup, index, at);
	nsec_t inside = saved_inside(replay, index, at, before, length);
	nsec_t most = before + length, saved;
	struct dependence on;

	if (timeline_segment_end(&timeline->track[index], at) > replay->plan->end)
		return before; /* the plan cuts it */
	if (replay_depends(timeline, index, at, &on)) {
		if (on.poll)
			return saved_by_poll(replay, index, &on, before);
		saved = saved_until(replay, on.track, on.at, 0);
		if (is_changed)
			saved += saves(replay, on.after);
		return nsec_min(most, nsec_max(saved, inside));
	}
	if (wait_is_fixed(timeline, index, at))
		return inside;
	return is_changed ? before + saves(replay, length) : nsec_max(before, inside);
}

/* The same of time in a run queue. */
static nsec_t saved_by_queue(struct replay *replay, uint32_t index, size_t at, nsec_t length)
{
	const struct segment *segment = &replay->plan->timeline->track[index].segment[at];
	nsec_t begin = segment_begin(replay, index, at), had;

	if (replay->track[index].is_gone && !replay->keeps_queues)
		return length;
	had = speedup_had_cpu(replay->speedup, segment->cpu, begin, begin + length);
	/* others would have got the CPU */
	if (replay->keeps_queues && had < length)
		had = 0;
	if (!replay->keeps_queues && replay->speedup->spec->kind == WHAT_IF_LOCK)
		had = speedup_within(replay->speedup, index, begin, begin + length);
	return saves(replay, nsec_min(had, length));
}

static void replay_take(struct replay *replay, const struct replay_step *step)
{
	const struct track *track = &replay->plan->timeline->track[step->track];
	struct replay_track *of = &replay->track[step->track];
	nsec_t begin = segment_begin(replay, step->track, step->segment);
	nsec_t before = replay_saved_before(replay, step->track, step->segment), saved = before;
	nsec_t length = step->at > begin ? step->at - begin : 0;

	assert(of->done == step->segment);
	switch ((enum segment_kind)track->segment[step->segment].kind) {
	case SEGMENT_RUN:
		saved += saves(replay, speedup_within(replay->speedup, step->track, begin,
		                                     begin + length));
		of->is_gone = false;
		break;
	case SEGMENT_RUNNABLE:
		saved += saved_by_queue(replay, step->track, step->segment, length);
		break;
	case SEGMENT_WAIT:
	case SEGMENT_STOPPED:
		saved = saved_by_wait(replay, step->track, step->segment, before, length);
		of->is_gone = length && saved >= before + length;
		break;
	case SEGMENT_UNKNOWN:
	case SEGMENT_DEAD:
	case SEGMENT_NEW:
		break;
	}
	assert(saved <= step->at - replay->plan->begin);
	*saved_slot(replay, step->track, step->segment) = saved;
	of->done = step->segment + 1;
}

void replay_init(struct replay *replay, const struct replay_plan *plan,
                 const struct speedup *speedup, bool keeps_queues)
{
	const size_t tracks = plan->timeline->track_count;

	*replay = (struct replay){
		.plan = plan, .speedup = speedup, .keeps_queues = keeps_queues,
		.saved = xcalloc(plan->first[tracks] + 1, sizeof(*replay->saved)),
		.track = xcalloc(tracks, sizeof(*replay->track)),
	};
	for (size_t i = 0; i < plan->step_count; i++)
		replay_take(replay, &plan->step[i]);
}

void replay_release(struct replay *replay)
{
	free(replay->saved);
	free(replay->track);
}
