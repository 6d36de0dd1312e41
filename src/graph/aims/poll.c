/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "poll.h"

#include <assert.h>

#include "base/assume.h"

/* Sleeps of one length differ by the delay of their wake-ups, where that is not known. */
#define SLACK_PART 8      /* one part in so many of the length */
#define SLACK_LEAST 100000 /* ns */
/* A child that is started to sleep sleeps for at least CHILD_ASLEEP quarters of its life, and of
   the wait for it; time in run queues says nothing. */
#define CHILD_ASLEEP 3
/* Such a child has at most about so many segments: no more are examined. */
#define CHILD_SEGMENTS 64
/* If children sleep for the task, the child that it waits for lives longer than CHILD_PERIODS of
   these sleeps. */
#define CHILD_PERIODS 2
/* Two series are one if the time between them is less than so many sleeps. */
#define TOGETHER 10

bool poll_fits(nsec_t period, nsec_t length)
{
	nsec_t slack = nsec_max(period / SLACK_PART, SLACK_LEAST);

	return length + slack >= period && length <= period + slack;
}

static size_t child_first(const struct track *child)
{
	return child->segment_count > CHILD_SEGMENTS ? child->segment_count - CHILD_SEGMENTS : 0;
}

/* The time from begin to end without what the child stood in run queues meanwhile. */
static nsec_t child_active(const struct track *child, nsec_t begin, nsec_t end)
{
	nsec_t queued = 0;

	for (size_t at = child_first(child); at < child->segment_count; at++) {
		nsec_t from = nsec_max(child->segment[at].begin, begin);
		nsec_t to = nsec_min(timeline_segment_end(child, at), end);

		if (child->segment[at].kind == SEGMENT_RUNNABLE && from < to)
			queued += to - from;
	}
	return end - begin - queued;
}

/* Finds the sleep that was all of a child's life, and of the wait that the child's end ended;
   false: the child did more. */
static bool child_find_sleep(const struct timeline *timeline, const struct span *span,
                             struct poll_sleep *ret)
{
	const struct track *child = &timeline->track[span->cause->waker];
	nsec_t least, least_of_life;
	size_t at = child->segment_count;
	size_t first = child_first(child);

	if (!poll_may_be_sleeper(child) || child->born == NSEC_NEVER || child->born > span->end)
		return false;
	least = child_active(child, span->begin, span->end) / 4 * CHILD_ASLEEP;
	least_of_life = child_active(child, child->born, span->end) / 4 * CHILD_ASLEEP;
	/* a child that did more meanwhile has no sleep as long as all of them */
	if (at == 0 || child->end - child->segment[first].begin < least_of_life)
		return false;
	while (at > first) {
		const struct segment *segment = &child->segment[--at];
		nsec_t end = timeline_segment_end(child, at);
		const struct cause_note *note = segment_cause(timeline, segment);

		if (end <= span->begin)
			break;
		if (segment->kind != SEGMENT_WAIT || !note || end > span->end ||
		    end - segment->begin < least_of_life ||
		    end - nsec_max(segment->begin, span->begin) < least)
			continue;
		*ret = (struct poll_sleep){
			.timer = note,
			.length = sleep_asked_length(note, end - segment->begin),
			.is_by_child = true,
		};
		return cause_note_is_timeout(note);
	}
	return false;
}

bool poll_find_sleep(const struct timeline *timeline, const struct span *span,
                     struct poll_sleep *ret)
{
	const struct cause_note *cause = span->cause;

	if (span->kind != SEGMENT_WAIT || span->is_open || span->begin == span->end || !cause)
		return false;
	*ret = (struct poll_sleep){
		.timer = cause,
		.length = sleep_asked_length(cause, span->end - span->begin),
	};
	if (cause_note_is_timeout(cause))
		return true;
	return cause_is_by_child(timeline, span->track, cause) &&
	       child_find_sleep(timeline, span, ret);
}

static bool poll_goes_on(const struct sleep_series *poll, const struct span *span,
                         const struct poll_sleep *sleep)
{
	const struct cause_note *timer = sleep->timer;
	nsec_t period;

	assert(cause_note_is_timeout(timer));
	if (poll->count == 0 || poll->is_by_child != sleep->is_by_child ||
	    timer->name != poll->name || timer->as.timer.call != poll->call ||
	    span_frames(span) != poll->frames)
		return false;
	period = poll_period(poll);
	/* between two sleeps the task was active for less time than one of them */
	return poll_fits(period, sleep->length) && poll->other < period &&
	       poll->running <= period / SERIES_RUN_PART;
}

void series_begin(struct sleep_series *series, const struct span *span,
                  const struct poll_sleep *sleep)
{
	assert(span->kind == SEGMENT_WAIT && sleep->timer->kind == CAUSE_TIMER);
	*series = (struct sleep_series){
		.track = span->track,
		.begin = span->begin,
		.end = span->end,
		.last = span->begin,
		.late = span->begin,
		.waiting = span->end - span->begin,
		.slept = sleep->length,
		.most = sleep->length,
		.count = 1,
		.name = sleep->timer->name,
		.frames = span_frames(span),
		.call = sleep->timer->as.timer.call,
		.is_by_child = sleep->is_by_child,
		.breaker = TRACK_NONE,
		.child = TRACK_NONE,
	};
}

void series_take(struct sleep_series *series, const struct span *span, nsec_t length)
{
	/* its sleeps follow each other */
	assert(series->count > 0 && series->track == span->track && series->end <= span->begin);
	series->count++;
	/* starting a child is not quiet, but counts as nothing else either */
	series->acts += !(span->is_quiet || series->is_by_child) || series->other;
	series->waiting += span->end - span->begin;
	series->slept += length;
	series->most = nsec_max(series->most, length);
	series->ran += series->running;
	series->late = series->last;
	series->last = span->begin;
	series->end = span->end;
	series->running = 0;
	series->other = 0;
	if (!series->broken)
		series->breaker = TRACK_NONE;
	series->broken = 0;
}

/* Whether another child's end may have broken the wait for a child that sleeps. */
static bool poll_is_broken(const struct sleep_series *poll, const struct timeline *timeline,
                           const struct span *span)
{
	const struct cause_note *cause = span->cause;

	return poll->count && poll->is_by_child && !poll->broken && !span->is_open && cause &&
	       cause_is_by_child(timeline, span->track, cause) &&
	       span->begin - poll->end < poll_period(poll);
}

/* Whether little was done between its sleeps. */
static bool poll_is_quiet(const struct sleep_series *poll)
{
	ASSUME(poll->count > 0 && poll->acts < poll->count);
	return poll->acts * SERIES_ACTS_PART <= poll->count - 1;
}

bool poll_is_one(const struct sleep_series *poll)
{
	return poll->count >= POLL_LEAST && poll_is_quiet(poll);
}

/* A shell's children that sleep for it hide what else it does: a few of them prove too little. */
bool poll_may_be_one(const struct sleep_series *poll)
{
	return poll_is_one(poll) ||
	       (poll->count >= POLL_LEAST_FEW && poll_is_quiet(poll) && !poll->is_by_child);
}

bool poll_is_proven(const struct sleep_series *poll, const struct timeline *timeline)
{
	return poll_is_one(poll) || (poll_may_be_one(poll) && poll_ends_with_child(poll) &&
	                             poll->rivals == 0 &&
	                             track_known_born(&timeline->track[poll->child]) <=
	                                     poll->begin &&
	                             timeline->track[poll->child].end > poll->last);
}

bool poll_is_alike(const struct sleep_series *a, const struct sleep_series *b)
{
	return a->is_by_child == b->is_by_child && poll_fits(poll_period(a), poll_period(b));
}

bool poll_is_followed(const struct sleep_series *poll, const struct sleep_series *later)
{
	return poll_is_alike(poll, later) &&
	       later->begin - poll->end < TOGETHER * poll_period(poll);
}

void poll_join(struct sleep_series *poll, const struct sleep_series *later)
{
	assert(poll->track == later->track && poll->end <= later->begin);
	poll->end = later->end;
	poll->last = later->last;
	poll->late = later->late;
	poll->breaker = later->breaker;
	poll->waiting += later->waiting;
	poll->slept += later->slept;
	poll->ran += later->ran;
	poll->count += later->count;
	poll->acts += later->acts + 1;
}

/* Whether the sleep's child was there when the wait began that another child's end broke. */
static bool poll_mends(const struct sleep_series *poll, const struct timeline *timeline,
                       const struct poll_sleep *sleep, const struct span *span)
{
	assert(poll->broken);
	return sleep->is_by_child && timeline->track[span->cause->waker].born <= poll->broken;
}

bool poll_take(struct sleep_series *poll, const struct timeline *timeline, const struct span *span,
               struct poll_sleep *ret)
{
	/* a child that was there before its turn to sleep may have slept, too, but the task waited
	   for it from the beginning */
	if (poll_find_sleep(timeline, span, ret) &&
	    !(poll->is_by_child && ret->is_by_child &&
	      timeline->track[span->cause->waker].born < poll->end)) {
		struct span whole;

		if ((poll->broken && !poll_mends(poll, timeline, ret, span)) ||
		    !poll_goes_on(poll, span, ret))
			return true;
		whole = *span;
		if (poll->broken)
			whole.begin = poll->broken;
		series_take(poll, &whole, ret->length);
	} else if (!(poll->is_by_child && span->cause &&
	             cause_note_is_labelled(timeline, span->cause, "vfork"))) {
		/* it is no part of starting the next child that sleeps */
		if (poll_is_broken(poll, timeline, span)) {
			poll->broken = span->begin;
			poll->breaker = span->cause->waker;
		} else {
			poll->other += span->end - span->begin;
		}
	}
	return false;
}

/* The track may be the child that is waited for; the timeline must be complete. */
static void poll_consider(struct sleep_series *poll, const struct timeline *timeline,
                          uint32_t index)
{
	const struct track *child = &timeline->track[index];
	nsec_t born = track_known_born(child);
	nsec_t period = poll_period(poll), life = child->end - born;
	enum poll_child rank;

	if (track_known_parent(child) != poll->track || born == NSEC_NEVER ||
	    child->end <= poll->begin || born >= poll->end)
		return;
	/* children that sleep for the track are not what it waits for */
	if (poll->is_by_child && poll_may_be_sleeper(child))
		life = child_active(child, born, child->end);
	if (poll->is_by_child && life < CHILD_PERIODS * period)
		return;
	if (index == poll->breaker && !child->is_open &&
	    child->end <= nsec_max(poll->end, poll->broken + period))
		rank = POLL_CHILD_ENDS_IT;
	else if (!child->is_open && child->end <= poll->end)
		rank = child->end > poll->late ? POLL_CHILD_ENDS_IT : POLL_CHILD_EARLY;
	else if (born <= poll->begin + period)
		rank = child->is_open ? POLL_CHILD_LIVES : POLL_CHILD_OUTLIVES;
	else
		return;
	if (rank == poll->child_rank)
		poll->rivals++;
	if (rank < poll->child_rank ||
	    (rank == poll->child_rank && child->end <= timeline->track[poll->child].end))
		return;
	if (rank > poll->child_rank)
		poll->rivals = 0;
	assert(rank != POLL_CHILD_NONE);
	poll->child = index;
	poll->child_rank = (uint8_t)rank;
}

void poll_find_child(struct sleep_series *poll, const struct timeline *timeline)
{
	series_forget_child(poll);
	TRACK_EACH_CHILD(timeline, poll->track, child)
		poll_consider(poll, timeline, child);
}

struct sleep_series poll_within(const struct timeline *timeline, const struct sleep_series *poll,
                                nsec_t begin, nsec_t end)
{
	struct track *track = &timeline->track[poll->track];
	struct sleep_series part = *poll;
	struct poll_sleep sleep;
	nsec_t running = 0;
	size_t at;

	if (poll->begin >= begin && poll->end <= end)
		return part;
	begin = nsec_max(begin, poll->begin);
	end = nsec_min(end, poll->end);
	/* what was done in between counts for the whole series */
	part.count = part.acts = part.waiting = part.slept = part.ran = 0;
	at = timeline_find(track, begin);
	for (at = at == SIZE_MAX ? 0 : at; at < track->segment_count; at++) {
		const struct span span = timeline_span(timeline, poll->track, at);
		nsec_t from = nsec_max(span.begin, begin), to = nsec_min(span.end, end);

		if (span.begin >= end)
			break;
		if (from >= to)
			continue;
		if (span.kind == SEGMENT_RUN)
			running += to - from;
		if (span.kind != SEGMENT_WAIT)
			continue;
		if (!poll_find_sleep(timeline, &span, &sleep) ||
		    sleep.is_by_child != poll->is_by_child ||
		    !poll_fits(poll_period(poll), sleep.length)) {
			/* it may be a part of a sleep that another child's end broke */
			if (!poll->is_by_child || !span.cause ||
			    !cause_is_by_child(timeline, poll->track, span.cause))
				continue;
			sleep.length = 0;
		}
		part.waiting += to - from;
		part.slept += sleep.length;
		part.count += sleep.length > 0;
		part.ran += part.count > 1 ? running : 0;
		running = 0;
	}
	return part;
}

bool poll_has_child(const struct sleep_series *poll)
{
	ASSUME((poll->child_rank == POLL_CHILD_NONE) == (poll->child == TRACK_NONE));
	if (poll->is_by_child)
		return poll->child_rank == POLL_CHILD_ENDS_IT && poll->rivals == 0;
	return poll->child_rank == POLL_CHILD_EARLY || poll->child_rank == POLL_CHILD_ENDS_IT ||
	       (poll->child_rank == POLL_CHILD_OUTLIVES && poll->rivals == 0);
}

void poll_end(struct timeline *timeline, const struct sleep_series *poll)
{
	struct track *track = &timeline->track[poll->track];
	const struct series_log *log = track->series ? &track->series[SERIES_OF_POLLS] : NULL;
	struct sleep_series *before, one = *poll;

	if (!poll->count)
		return;
	before = log && log->count ? &log->series[log->count - 1] : NULL;
	one.is_piece = !poll_may_be_one(poll);
	if (one.is_piece && !(poll->is_left && track->is_shown_open) &&
	    !(before && poll_is_followed(before, poll) && poll_is_quiet(poll)))
		return;
	if (one.is_piece && before && before->is_piece && !poll->is_left)
		poll_join(before, poll);
	else
		series_add(&track->series, SERIES_OF_POLLS, &one);
}

/* Considers the child, if its birth was seen, for each series of its parent while the child
   lived. */
static void child_find_polls(struct timeline *timeline, uint32_t index)
{
	const struct track *child = &timeline->track[index];
	uint32_t parent = track_known_parent(child);
	struct sleep_series *poll;
	struct series_log *polls;

	if (parent == TRACK_NONE || track_known_born(child) == NSEC_NEVER ||
	    !timeline->track[parent].series)
		return;
	polls = &timeline->track[parent].series[SERIES_OF_POLLS];
	poll = series_after(polls, track_known_born(child));
	for (; poll && poll < polls->series + polls->count && poll->begin < child->end; poll++)
		poll_consider(poll, timeline, index);
}

/* Two series of one task with something else between: the child whose end ended the second is what
   the task waited for in the first, too, if that child existed already. */
static void poll_share_child(const struct timeline *timeline, struct sleep_series *poll,
                             const struct sleep_series *next)
{
	if (poll->child_rank == POLL_CHILD_ENDS_IT ||
	    next->child_rank != POLL_CHILD_ENDS_IT || poll->is_by_child != next->is_by_child ||
	    poll->name != next->name || poll->call != next->call ||
	    !poll_fits(poll_period(poll), poll_period(next)) ||
	    track_known_born(&timeline->track[next->child]) > poll->begin + poll_period(poll))
		return;
	assert(next->child < timeline->track_count && poll->track == next->track);
	poll->child = next->child;
	poll->child_rank = next->child_rank;
	poll->rivals = next->rivals;
}

/* Those that no child proves to be polling are kept for what they show together. */
static void polls_prove(const struct timeline *timeline, struct series_log *polls)
{
	const struct sleep_series *next = NULL;

	for (size_t at = polls->count; at > 0; at--) {
		struct sleep_series *poll = &polls->series[at - 1];

		poll->is_unproven = poll->is_piece || !poll_is_proven(poll, timeline);
		if (poll->is_unproven)
			continue;
		if (next)
			poll_share_child(timeline, poll, next);
		next = poll;
	}
}

void timeline_settle_polls(struct timeline *timeline)
{
	/* each step needs what the one before has found on all tracks */
	for (uint32_t track = 0; track < timeline->track_count; track++)
		child_find_polls(timeline, track);
	for (uint32_t track = 0; track < timeline->track_count; track++)
		if (timeline->track[track].series)
			polls_prove(timeline, &timeline->track[track].series[SERIES_OF_POLLS]);
}

uint32_t poll_sibling(const struct sleep_series *poll, const struct timeline *timeline)
{
	uint32_t parent = track_known_parent(&timeline->track[poll->track]), found = TRACK_NONE;

	if (parent == TRACK_NONE)
		return TRACK_NONE;
	TRACK_EACH_CHILD(timeline, parent, sibling) {
		const struct track *track = &timeline->track[sibling];

		if (sibling == poll->track || track->is_open ||
		    (track->tgid >= 0 && track->tgid != track->tid) || track->end <= poll->last ||
		    track->end > poll->end ||
		    track_known_born(track) > poll->begin + poll_period(poll))
			continue;
		if (found != TRACK_NONE)
			return TRACK_NONE;
		found = sibling;
	}
	return found;
}

uint32_t poll_ended_by(const struct sleep_series *poll, const struct timeline *timeline)
{
	if (!poll_is_one(poll))
		return TRACK_NONE;
	if (poll->child_rank == POLL_CHILD_ENDS_IT && poll->rivals == 0)
		return poll->child;
	return poll_sibling(poll, timeline);
}
