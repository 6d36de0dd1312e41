/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "poll.h"

#include "base/data/array.h"

/* Sleeps of one length differ by the delay of their wake-ups. */
#define SLACK_PART 8      /* one part in so many of the length */
#define SLACK_LEAST 100000 /* ns */
/* A child that is started to sleep sleeps for at least CHILD_ASLEEP quarters of its life, and of
   the wait for it. */
#define CHILD_ASLEEP 3
/* Such a child has at most about so many segments: no more are examined. */
#define CHILD_SEGMENTS 64
/* If children sleep for the task, the child that it waits for lives longer than CHILD_PERIODS of
   these sleeps. */
#define CHILD_PERIODS 2

bool poll_fits(nsec_t period, nsec_t length)
{
	nsec_t slack = nsec_max(period / SLACK_PART, SLACK_LEAST);

	return length + slack >= period && length <= period + slack;
}

/* Finds the sleep that was all of a child's life, and of the wait that the child's end ended;
   false: the child did more. */
static bool child_find_sleep(const struct timeline *timeline, const struct span *span,
                             struct poll_sleep *ret)
{
	const struct track *child = &timeline->track[span->cause->waker];
	nsec_t least = (span->end - span->begin) / 4 * CHILD_ASLEEP, least_of_life;
	size_t at = child->segment_count;
	size_t first = at > CHILD_SEGMENTS ? at - CHILD_SEGMENTS : 0;

	if (!poll_may_be_sleeper(child) || child->parent != span->track ||
	    child->born == NSEC_NEVER || child->born > span->end)
		return false;
	least_of_life = (span->end - child->born) / 4 * CHILD_ASLEEP;
	/* a child that did more meanwhile has no sleep as long as all of them */
	if (at == 0 || child->end - child->segment[first].begin < least_of_life)
		return false;
	while (at > first) {
		const struct segment *segment = &child->segment[--at];
		nsec_t end = timeline_segment_end(child, at);
		const struct cause_note *note;

		if (end <= span->begin)
			break;
		if (segment->kind != SEGMENT_WAIT || segment->cause == CAUSE_NONE ||
		    end > span->end || end - segment->begin < least_of_life ||
		    end - nsec_max(segment->begin, span->begin) < least)
			continue;
		note = timeline_cause_at(timeline, segment->cause);
		*ret = (struct poll_sleep){
			.timer = note,
			.length = end - segment->begin,
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
	*ret = (struct poll_sleep){.timer = cause, .length = span->end - span->begin};
	if (cause_note_is_timeout(cause))
		return true;
	return cause->kind == CAUSE_TASK && cause->waker != TRACK_NONE &&
	       child_find_sleep(timeline, span, ret);
}

static bool poll_goes_on(const struct poll *poll, const struct span *span,
                         const struct poll_sleep *sleep)
{
	const struct cause_note *timer = sleep->timer;
	nsec_t period;

	if (poll->count == 0 || poll->is_by_child != sleep->is_by_child ||
	    timer->name != poll->name || timer->as.timer.call != poll->call ||
	    span_frames(span) != poll->frames)
		return false;
	period = poll_period(poll);
	/* between two sleeps the task was active for less time than one of them */
	return poll_fits(period, sleep->length) && poll->other < period &&
	       poll->running <= period / SERIES_RUN_PART;
}

void poll_begin(struct poll *poll, const struct span *span, const struct poll_sleep *sleep)
{
	*poll = (struct poll){
		.track = span->track,
		.begin = span->begin,
		.end = span->end,
		.last = span->begin,
		.late = span->begin,
		.waiting = span->end - span->begin,
		.slept = sleep->length,
		.count = 1,
		.name = sleep->timer->name,
		.frames = span_frames(span),
		.call = sleep->timer->as.timer.call,
		.is_by_child = sleep->is_by_child,
		.breaker = TRACK_NONE,
		.child = TRACK_NONE,
	};
}

static void poll_add(struct poll *poll, const struct span *span, const struct poll_sleep *sleep)
{
	poll->count++;
	/* starting a child is not quiet, but counts as nothing else either */
	poll->quiet += (span->is_quiet || poll->is_by_child) && poll->other == 0;
	poll->waiting += span->end - span->begin;
	poll->slept += sleep->length;
	poll->ran += poll->running;
	poll->late = poll->last;
	poll->last = span->begin;
	poll->end = span->end;
	poll->running = 0;
	poll->other = 0;
	if (!poll->broken)
		poll->breaker = TRACK_NONE;
	poll->broken = 0;
}

/* Whether another child's end broke the wait for a child that sleeps. */
static bool poll_is_broken(const struct poll *poll, const struct timeline *timeline,
                           const struct span *span)
{
	const struct cause_note *cause = span->cause;

	return poll->count && poll->is_by_child && !poll->broken && !span->is_open && cause &&
	       cause->kind == CAUSE_TASK && cause->waker != TRACK_NONE &&
	       timeline->track[cause->waker].parent == span->track &&
	       span->begin - poll->end < poll_period(poll) &&
	       span->end - span->begin < poll_period(poll);
}

bool poll_is_quiet(const struct poll *poll)
{
	return (poll->count - 1 - poll->quiet) * SERIES_ACTS_PART <= poll->count - 1;
}

bool poll_is_one(const struct poll *poll)
{
	return poll->count >= POLL_LEAST && poll_is_quiet(poll);
}

/* A shell's children that sleep for it hide what else it does: a few of them prove too little. */
bool poll_may_be_one(const struct poll *poll)
{
	return poll_is_one(poll) ||
	       (poll->count >= POLL_LEAST_FEW && poll_is_quiet(poll) && !poll->is_by_child);
}

bool poll_is_proven(const struct poll *poll, const struct timeline *timeline)
{
	return poll_is_one(poll) || (poll_may_be_one(poll) && poll_ends_with_child(poll) &&
	                             poll->rivals == 0 &&
	                             timeline->track[poll->child].born <= poll->begin &&
	                             timeline->track[poll->child].end > poll->last);
}

/* The part of poll_follow() for a sleep that `sleep` describes. */
static bool poll_take_sleep(struct poll *poll, const struct span *span,
                            const struct poll_sleep *sleep)
{
	struct span whole = *span;

	if (poll->broken)
		whole.begin = poll->broken;
	if (!poll_goes_on(poll, &whole, sleep))
		return true;
	poll_add(poll, &whole, sleep);
	return false;
}

bool poll_follow(struct poll *poll, const struct timeline *timeline, const struct span *span,
                 struct poll_sleep *ret)
{
	if (span->kind == SEGMENT_RUN)
		poll_run(poll, span);
	if (span->kind != SEGMENT_WAIT)
		return false;
	if (poll_find_sleep(timeline, span, ret))
		return poll_take_sleep(poll, span, ret);
	/* a part of starting the next child that sleeps */
	if (poll->is_by_child && span->cause &&
	    cause_note_is_labelled(timeline, span->cause, "vfork"))
		return false;
	if (poll_is_broken(poll, timeline, span)) {
		poll->broken = span->begin;
		poll->breaker = span->cause->waker;
	} else {
		poll_wait(poll, span);
	}
	return false;
}

void poll_consider(struct poll *poll, const struct timeline *timeline, uint32_t index)
{
	const struct track *child = &timeline->track[index];
	nsec_t period = poll_period(poll);
	enum poll_child rank;

	if (child->parent != poll->track || child->born == NSEC_NEVER ||
	    child->end <= poll->begin || child->born >= poll->end)
		return;
	/* children that sleep for the track are not what it waits for */
	if (poll->is_by_child && child->end - child->born < CHILD_PERIODS * period)
		return;
	if (index == poll->breaker && !child->is_open &&
	    child->end <= nsec_max(poll->end, poll->broken + period))
		rank = POLL_CHILD_ENDS_IT;
	else if (!child->is_open && child->end <= poll->end)
		rank = child->end > poll->late ? POLL_CHILD_ENDS_IT : POLL_CHILD_EARLY;
	else if (child->born <= poll->begin + period)
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
	poll->child = index;
	poll->child_rank = (uint8_t)rank;
}

bool poll_has_child(const struct poll *poll)
{
	if (poll->is_by_child)
		return poll->child_rank == POLL_CHILD_ENDS_IT && poll->rivals == 0;
	return poll->child_rank == POLL_CHILD_EARLY || poll->child_rank == POLL_CHILD_ENDS_IT ||
	       (poll->child_rank == POLL_CHILD_OUTLIVES && poll->rivals == 0);
}

enum confidence poll_confidence(const struct poll *poll)
{
	return poll->child_rank == POLL_CHILD_ENDS_IT && poll->rivals == 0 ? CONFIDENCE_MEDIUM
	                                                                   : CONFIDENCE_LOW;
}

static void timeline_add_poll(struct timeline *timeline, const struct poll *poll)
{
	ARRAY_GROW(timeline->poll, timeline->poll_count, timeline->poll_capacity);
	series_range_add(&timeline->track[poll->track].polls, timeline->poll_count);
	timeline->poll[timeline->poll_count++] = *poll;
}

/* The next sleep begins another series than the one so far. */
static void track_next_poll(struct timeline *timeline, struct poll *poll, const struct span *span,
                            const struct poll_sleep *sleep)
{
	if (poll_may_be_one(poll))
		timeline_add_poll(timeline, poll);
	poll_begin(poll, span, sleep);
}

/* Adds what the track did in the segments [from, to), none of which is a sleep. */
static void poll_add_between(struct poll *poll, const struct track *track, size_t from, size_t to)
{
	for (size_t at = from; at < to; at++) {
		nsec_t length = timeline_segment_end(track, at) - track->segment[at].begin;

		if (track->segment[at].kind == SEGMENT_RUN)
			poll->running += length;
		else if (track->segment[at].kind == SEGMENT_WAIT)
			poll->other += length;
	}
}

void poll_search_take(struct poll_search *search, struct timeline *timeline, uint32_t index,
                      size_t at)
{
	struct span span = timeline_span(timeline, index, at);
	struct poll *poll = &search->poll;
	struct poll_sleep sleep;

	if (!poll_find_sleep(timeline, &span, &sleep))
		return;
	/* otherwise the sleep begins another series, whatever lies between */
	if (poll->count && poll_fits(poll_period(poll), sleep.length))
		poll_add_between(poll, &timeline->track[index], search->from, at);
	if (poll_take_sleep(poll, &span, &sleep))
		track_next_poll(timeline, poll, &span, &sleep);
	search->from = at + 1;
}

void poll_search_follow(struct poll_search *search, struct timeline *timeline, uint32_t index,
                        size_t at)
{
	struct span span = timeline_span(timeline, index, at);
	struct poll_sleep sleep;

	if (poll_follow(&search->poll, timeline, &span, &sleep))
		track_next_poll(timeline, &search->poll, &span, &sleep);
}

void poll_search_finish(struct poll_search *search, struct timeline *timeline)
{
	if (!poll_may_be_one(&search->poll))
		return;
	search->poll.is_left = true;
	timeline_add_poll(timeline, &search->poll);
}

/* Considers the child, if its birth was seen, for each series of its parent while the child
   lived. */
static void child_find_polls(struct timeline *timeline, uint32_t index)
{
	const struct track *child = &timeline->track[index];
	struct series_range *range;
	size_t at;

	if (child->parent == TRACK_NONE || child->born == NSEC_NEVER)
		return;
	range = &timeline->track[child->parent].polls;
	at = series_after(timeline->poll, sizeof(*timeline->poll), range, child->born);
	for (; at < range->first + (size_t)range->count && timeline->poll[at].begin < child->end;
	     at++)
		poll_consider(&timeline->poll[at], timeline, index);
}

/* Two series of one task with something else between: the child whose end ended the second is what
   the task waited for in the first, too, if that child existed already. */
static void poll_share_child(struct timeline *timeline, struct poll *poll, const struct poll *next)
{
	if (next->is_unproven || poll->track != next->track ||
	    poll->child_rank == POLL_CHILD_ENDS_IT || next->child_rank != POLL_CHILD_ENDS_IT ||
	    poll->is_by_child != next->is_by_child || poll->name != next->name ||
	    poll->call != next->call || !poll_fits(poll_period(poll), poll_period(next)) ||
	    timeline->track[next->child].born > poll->begin + poll_period(poll))
		return;
	poll->child = next->child;
	poll->child_rank = next->child_rank;
	poll->rivals = next->rivals;
}

/* Drops series that no child proves to be polling, unless they may go on. */
static void polls_prove(struct timeline *timeline)
{
	size_t count = 0;

	for (size_t at = 0; at < timeline->poll_count; at++)
		timeline->track[timeline->poll[at].track].polls = (struct series_range){0};
	for (size_t at = 0; at < timeline->poll_count; at++) {
		struct poll *poll = &timeline->poll[at];

		poll->is_unproven = !poll_is_proven(poll, timeline);
		if (poll->is_unproven && !poll->is_left)
			continue;
		series_range_add(&timeline->track[poll->track].polls, count);
		timeline->poll[count++] = *poll;
	}
	timeline->poll_count = count;
}

void timeline_settle_polls(struct timeline *timeline)
{
	for (uint32_t track = 0; timeline->poll_count && track < timeline->track_count; track++)
		child_find_polls(timeline, track);
	polls_prove(timeline);
	for (size_t at = timeline->poll_count; at > 1; at--)
		poll_share_child(timeline, &timeline->poll[at - 2], &timeline->poll[at - 1]);
}

const struct poll *timeline_poll(const struct timeline *timeline, uint32_t track, nsec_t t)
{
	size_t at = series_around(timeline->poll, sizeof(*timeline->poll),
	                          &timeline->track[track].polls, t);

	return at == SIZE_MAX || timeline->poll[at].is_unproven ? NULL : &timeline->poll[at];
}
