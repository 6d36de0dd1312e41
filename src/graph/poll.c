/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "poll.h"

#include "base/array.h"

/* Sleeps of one length differ by the delay of their wake-ups. */
#define SLACK_PART 8      /* of the length, one in so many */
#define SLACK_LEAST 100000 /* ns */
/* One that runs for longer, in parts of a sleep, does some work in between. */
#define RUN_PART 4
/* Of the sleeps one in so many may come after something was done. */
#define ACTS_PART 4

static nsec_t poll_period(const struct poll *poll)
{
	return poll->waiting / poll->count;
}

static bool poll_goes_on(const struct poll *poll, const struct span *span)
{
	nsec_t period, slack, length = span->end - span->begin;

	if (poll->count == 0 || span->cause->name != poll->name ||
	    span->cause->as.timer.call != poll->call || span_frames(span) != poll->frames)
		return false;
	period = poll_period(poll);
	slack = nsec_max(period / SLACK_PART, SLACK_LEAST);
	/* the time between two sleeps is less than one of them */
	return length + slack >= period && length <= period + slack &&
	       span->begin - poll->end < period && poll->running <= period / RUN_PART;
}

static void poll_begin(struct poll *poll, const struct span *span)
{
	*poll = (struct poll){
		.line = span->line,
		.begin = span->begin,
		.end = span->end,
		.last = span->begin,
		.waiting = span->end - span->begin,
		.count = 1,
		.name = span->cause->name,
		.frames = span_frames(span),
		.call = span->cause->as.timer.call,
		.child = LINE_NONE,
	};
}

bool poll_is_one(const struct poll *poll)
{
	return poll->count >= POLL_LEAST &&
	       (poll->count - 1 - poll->quiet) * ACTS_PART <= poll->count - 1;
}

bool poll_follow(struct poll *poll, const struct timeline *timeline, const struct span *span,
                 struct poll *ret)
{
	bool is_over;

	if (span->kind == SEGMENT_RUN)
		poll_run(poll, span);
	if (span->kind != SEGMENT_WAIT || span->is_open || span->begin == span->end ||
	    !span->cause || !cause_note_is_timeout(timeline, span->cause))
		return false;
	if (poll_goes_on(poll, span)) {
		poll->count++;
		poll->quiet += span->is_quiet;
		poll->waiting += span->end - span->begin;
		poll->last = span->begin;
		poll->end = span->end;
		poll->running = 0;
		return false;
	}
	is_over = poll_is_one(poll);
	*ret = *poll;
	poll_begin(poll, span);
	return is_over;
}

/* The child may be what the series waits for. */
static void poll_consider(struct poll *poll, const struct timeline *timeline, uint32_t index)
{
	const struct line *child = &timeline->line[index];
	bool is_thread = child->tgid >= 0 && child->tgid != child->tid;
	nsec_t period = poll_period(poll);
	enum poll_child rank;

	if (is_thread || child->parent != poll->line || child->born == NSEC_NEVER ||
	    child->end <= poll->begin || child->born >= poll->end)
		return;
	if (!child->is_open && child->end <= poll->end)
		rank = child->end > poll->last ? POLL_CHILD_ENDS_IT : POLL_CHILD_EARLY;
	else if (child->born <= poll->begin + period)
		rank = child->is_open ? POLL_CHILD_LIVES : POLL_CHILD_OUTLIVES;
	else
		return;
	if (rank == poll->child_rank)
		poll->rivals++;
	if (rank < poll->child_rank ||
	    (rank == poll->child_rank && child->end <= timeline->line[poll->child].end))
		return;
	if (rank > poll->child_rank)
		poll->rivals = 0;
	poll->child = index;
	poll->child_rank = (uint8_t)rank;
}

void poll_find_child(struct poll *poll, const struct timeline *timeline)
{
	for (size_t line = 0; line < timeline->line_count; line++)
		poll_consider(poll, timeline, (uint32_t)line);
}

bool poll_has_child(const struct poll *poll)
{
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
	timeline->poll[timeline->poll_count++] = *poll;
}

static void line_find_polls(struct timeline *timeline, uint32_t index)
{
	const struct line *line = &timeline->line[index];
	struct poll poll = {0}, over;

	for (size_t at = 0; at < line->segment_count; at++) {
		struct span span = timeline_span(timeline, index, at);

		if (poll_follow(&poll, timeline, &span, &over))
			timeline_add_poll(timeline, &over);
	}
	if (poll_is_one(&poll))
		timeline_add_poll(timeline, &poll);
}

/* Index of the first series that ends after t, of this line or a later one. */
static size_t timeline_poll_after(const struct timeline *timeline, uint32_t line, nsec_t t)
{
	size_t low = 0, high = timeline->poll_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct poll *poll = &timeline->poll[middle];

		if (poll->line < line || (poll->line == line && poll->end <= t))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void timeline_find_polls(struct timeline *timeline)
{
	timeline->poll_count = 0;
	for (size_t line = 0; line < timeline->line_count; line++)
		line_find_polls(timeline, (uint32_t)line);
	for (size_t at = 0; at < timeline->line_count; at++) {
		const struct line *child = &timeline->line[at];
		size_t poll;

		if (child->parent == LINE_NONE || child->born == NSEC_NEVER)
			continue;
		/* each of the parent's while the child lived */
		for (poll = timeline_poll_after(timeline, child->parent, child->born);
		     poll < timeline->poll_count && timeline->poll[poll].line == child->parent &&
		     timeline->poll[poll].begin < child->end;
		     poll++)
			poll_consider(&timeline->poll[poll], timeline, (uint32_t)at);
	}
}

const struct poll *timeline_poll(const struct timeline *timeline, uint32_t line, nsec_t t)
{
	size_t at = timeline_poll_after(timeline, line, t);
	const struct poll *poll = at < timeline->poll_count ? &timeline->poll[at] : NULL;

	return poll && poll->line == line && poll->begin <= t ? poll : NULL;
}
