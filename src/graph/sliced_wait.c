/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sliced_wait.h"

#include "base/data/array.h"
#include "poll.h"
#include "sleep_timeout.h"

#define POLL_SHORT 50000000 /* ns */
/* If equal lengths are the only evidence that sleeps are of one kind, so many slices are needed:
   with equal time limits; with sleeps of equal length; if the arming of timers was not recorded. */
#define LEAST_OF_LIMIT  1
#define LEAST_OF_LENGTH 2
#define LEAST_UNSEEN    3

/* Whether the task's own time limit ended the sleep, and nothing in the kernel held the task. A
   sleep between two attempts to take a lock or to connect is one, whatever its system call is. */
static bool span_is_slice(const struct timeline *timeline, const struct span *span)
{
	const struct cause_note *request;

	if (span->is_open || span->begin >= span->end || !span->cause ||
	    (span->detail & (uint8_t)~WAIT_FOR_WORK) != 'S' ||
	    !cause_note_is_timeout(span->cause))
		return false;
	if (span->cause->as.timer.call != CALL_NANOSLEEP)
		return true;
	request = timeline_request(timeline, span->cause);
	return request && request_is_retried(request);
}

static const struct cause_note *slices_request(const struct timeline *timeline,
                                               const struct slices *slices)
{
	return slices->wait.count ? timeline_request(timeline, slices->timer) : NULL;
}

/* The timer slack of poll is a thousandth of the time, but at least that of other sleeps: a short
   poll cannot be distinguished from them. */
static bool timeout_is_same(const struct slices *slices, const struct span *span)
{
	uint8_t timeout = sleep_limit_kind(span->timeout);

	if (slices->timeout == timeout)
		return true;
	if (slices->timeout == TIMEOUT_POLL && timeout == TIMEOUT_OTHER)
		return span->end - span->begin < POLL_SHORT;
	return slices->timeout == TIMEOUT_OTHER && timeout == TIMEOUT_POLL &&
	       slices->wait.most < POLL_SHORT;
}

/* Whether all that is known of both sleeps is the same. */
static bool sleep_is_alike(const struct slices *slices, const struct span *span)
{
	return timeout_is_same(slices, span) &&
	       (!slices->frames || !span_frames(span) || slices->frames == span_frames(span));
}

/* Whether more than its length shows that the sleep is of the same kind as the slices: a loop that
   polls has different limits for different events, and a task that an alarm wakes sleeps on at the
   same place. Elsewhere a place or a call shows nothing: a sleep for a time, and a wait with a
   limit that grows, may be in the same function. */
static bool kind_is_evident(const struct slices *slices, const struct span *span)
{
	return slices->timeout == TIMEOUT_POLL ||
	       (slices->timeout == TIMEOUT_ALARM && slices->frames && span_frames(span));
}

static bool run_is_short(const struct slices *slices)
{
	return slices->running <= series_run_most(slices->wait.most);
}

/* Limits that double, or grow eightfold, are usual; more is a coincidence. */
#define GROWTH_MOST 16
/* Parts of a length by which a growing one may differ from its expected value. */
#define GROWTH_SLACK 8

static nsec_t growth_slack(nsec_t expected)
{
	return nsec_max(expected / GROWTH_SLACK, SERIES_RUN_LEAST);
}

static bool length_is_near(nsec_t length, nsec_t expected)
{
	nsec_t slack = growth_slack(expected);

	return length + slack >= expected && length <= expected + slack;
}

/* The next limit if they grow by a factor. */
static nsec_t limit_by_factor(const struct slices *slices)
{
	return (nsec_t)((double)slices->last * (double)slices->last / (double)slices->before);
}

/* Whether this length goes on as the last two grew: by a factor, or by a step. */
static bool growth_goes_on(const struct slices *slices, nsec_t length)
{
	return slices->before && slices->last > slices->before &&
	       (length_is_near(length, limit_by_factor(slices)) ||
	        length_is_near(length, 2 * slices->last - slices->before));
}

/* Whether the length fits those so far: it is the same, or they grow. Two slices may only seem
   to. */
static bool length_fits(const struct slices *slices, nsec_t length)
{
	if (slices->may_grow)
		return growth_goes_on(slices, length);
	if (poll_fits(slices->wait.most, length))
		return true;
	if (slices->grows) /* a ceiling may cut the last step */
		return growth_goes_on(slices, length) ||
		       (length > slices->last && length < limit_by_factor(slices));
	return slices->wait.count == 1 && length > slices->last &&
	       length / GROWTH_MOST <= slices->last;
}

static bool slices_go_on(const struct timeline *timeline, const struct slices *slices,
                         const struct span *span)
{
	const struct cause_note *timer = span->cause;
	const struct cause_note *request = timeline_request(timeline, timer);

	if (slices->wait.count == 0 || !timer || request != slices_request(timeline, slices))
		return false;
	if (request)
		return true;
	return timer->name == slices->timer->name &&
	       timer->as.timer.call == slices->timer->as.timer.call &&
	       sleep_is_alike(slices, span) && run_is_short(slices) &&
	       (kind_is_evident(slices, span) || span->timeout == TIMEOUT_AGAIN ||
	        length_fits(slices, span->end - span->begin));
}

static void slices_begin(struct slices *slices, const struct span *span)
{
	*slices = (struct slices){
		.wait = {.track = span->track,
	                 .begin = span->begin,
	                 .is_relative = span->timeout == TIMEOUT_RELATIVE},
		.timer = span->cause,
		.frames = span_frames(span),
		.timeout = sleep_limit_kind(span->timeout),
	};
}

static void slices_note_growth(struct slices *slices, const struct span *span)
{
	nsec_t length = span->end - span->begin;
	bool is_new = slices->wait.count == 1 && span->timeout != TIMEOUT_AGAIN &&
	              !poll_fits(slices->last, length);

	slices->grows |= slices->may_grow;
	slices->may_grow = is_new;
	if (is_new)
		slices->second = *span;
	slices->before = slices->last;
	slices->last = length;
}

static void slices_add(struct slices *slices, const struct span *span)
{
	struct sliced_wait *wait = &slices->wait;

	slices->acts += wait->count && !span->is_quiet;
	slices_note_growth(slices, span);
	slices->running = 0;
	if (span->timeout == TIMEOUT_POLL)
		slices->timeout = TIMEOUT_POLL;
	wait->most = nsec_max(wait->most, span->end - span->begin);
	wait->waiting += span->end - span->begin;
	wait->end = span->end;
	wait->count++;
}

/* Whether a task may wait for such a cause with a time limit: another task, or something from
   outside. A signal interrupts a wait; the end of a child has the cause of a task. */
static bool cause_is_awaited(const struct cause_note *cause)
{
	switch (cause->kind) {
	case CAUSE_TASK:
	case CAUSE_NET:
	case CAUSE_DISK:
	case CAUSE_WORK:
		return true;
	default:
		return false;
	}
}

/* A task that sets an alarm for a sleep and sleeps on after it may also wait for a signal: another
   process sends it when it releases what they share. So does a task that takes signals with a
   limit. */
static bool signal_is_awaited(const struct timeline *timeline, const struct slices *slices,
                              const struct span *span)
{
	return (slices->timeout == TIMEOUT_ALARM ||
	        slices->timer->as.timer.call == CALL_SIGTIMEDWAIT) &&
	       span->cause->kind == CAUSE_SIGNAL && span->cause->waker != TRACK_NONE &&
	       !timeline_is_one_process(timeline, span->cause->waker, span->track);
}

/* The least number of slices after which a sleep that something else ends belongs to them. */
static uint64_t slices_least(const struct slices *slices, const struct span *span)
{
	if (slices->timeout == TIMEOUT_NONE || slices->timeout == TIMEOUT_ALARM ||
	    slices->timeout == TIMEOUT_TIMER)
		return LEAST_UNSEEN;
	return span->timeout == TIMEOUT_AGAIN ? LEAST_OF_LIMIT : LEAST_OF_LENGTH;
}

/* The task behind the end of a wait: not the worker, which executes the items of all tasks. */
static uint32_t cause_doer(const struct cause_note *cause)
{
	return cause->is_walked && cause->kind != CAUSE_WORK ? cause->waker : cause->originator;
}

/* Whether the sleeper's own process created the task behind the end of the wait after the first
   slice, so that the earlier slices cannot have been for it. */
static bool cause_is_begun_since(const struct timeline *timeline, const struct sliced_wait *wait,
                                 const struct cause_note *cause)
{
	uint32_t track = cause_doer(cause);

	while (track != TRACK_NONE && timeline->track[track].born != NSEC_NEVER &&
	       timeline->track[track].born > wait->begin) {
		track = timeline->track[track].parent;
		if (timeline_is_one_process(timeline, track, wait->track))
			return true;
	}
	return false;
}

/* Whether the task that ended the wait at t had waited for the sleeper's process, during the slices
   and until after the last one: then it answers to that, and the slices were not for it. */
static bool cause_is_answer(const struct timeline *timeline, const struct sliced_wait *wait,
                            const struct cause_note *cause, nsec_t t)
{
	uint32_t doer = cause_doer(cause);
	struct track *track = doer == TRACK_NONE ? NULL : &timeline->track[doer];
	size_t at = track ? timeline_find(track, t) : SIZE_MAX;

	for (; at != SIZE_MAX && timeline_segment_end(track, at) > wait->end; at--) {
		const struct cause_note *end;

		if (track->segment[at].kind != SEGMENT_WAIT ||
		    track->segment[at].cause == CAUSE_NONE || timeline_segment_end(track, at) > t)
			continue;
		end = timeline_cause_at(timeline, track->segment[at].cause);
		return track->segment[at].begin < wait->end &&
		       timeline_is_one_process(timeline, cause_doer(end), wait->track);
	}
	return false;
}

/* Whether the task never slept again. */
static bool wait_is_last(const struct track *track, size_t at)
{
	while (++at < track->segment_count)
		if (track->segment[at].kind == SEGMENT_WAIT)
			return false;
	return !track->is_open && !track->is_shown_open;
}

/* Whether the wait ended by the end of a child of the sleeper's process, not of that process
   itself. */
static bool cause_is_childs_end(const struct timeline *timeline, const struct span *span)
{
	const struct cause_note *cause = span->cause;

	return cause_note_is_labelled(timeline, cause, "exit") && cause->waker != TRACK_NONE &&
	       !timeline_is_one_process(timeline, cause->waker, span->track) &&
	       timeline_is_one_process(timeline, timeline->track[cause->waker].parent, span->track);
}

/* Whether the end of the sleeper's process may have ended the wait, for which there is no signal
   event. */
static bool sleep_may_be_killed(const struct timeline *timeline, const struct span *span,
                                size_t at)
{
	return wait_is_last(&timeline->track[span->track], at) &&
	       !cause_is_childs_end(timeline, span);
}

bool cause_is_same_file_lock(const struct cause_note *a, const struct cause_note *b)
{
	return a->kind == CAUSE_LOCK && b->kind == CAUSE_LOCK && a->as.lock.file &&
	       a->as.lock.file == b->as.lock.file;
}

/* Whether the slices before were for what ended this wait, too. */
static bool slices_end_with(const struct timeline *timeline, const struct slices *slices,
                            const struct span *span, size_t at)
{
	const struct cause_note *request = slices_request(timeline, slices);
	const struct sliced_wait *wait = &slices->wait;
	nsec_t length = span->end - span->begin, most;
	bool is_signalled;

	/* of an open wait something is known only where the recorder saw what it is for */
	if (wait->count == 0 || !span->cause ||
	    (span->is_open && span->cause->kind == CAUSE_UNKNOWN))
		return false;
	if (request && request->kind == CAUSE_LOCK)
		return span->is_open && cause_is_same_file_lock(request, span->cause);
	if (request)
		return !request_is_retried(request) && span->cause->kind == CAUSE_NET &&
		       span->cause->as.net.peer == request->as.net.peer &&
		       span->cause->as.net.local_port == request->as.net.local_port;
	is_signalled = signal_is_awaited(timeline, slices, span);
	if (!(cause_is_awaited(span->cause) || is_signalled) || !sleep_is_alike(slices, span) ||
	    (span->detail & (uint8_t)~WAIT_FOR_WORK) != 'S' || !run_is_short(slices) ||
	    (slices->acts + !span->is_quiet) * SERIES_ACTS_PART > wait->count ||
	    cause_is_answer(timeline, wait, span->cause, span->end) ||
	    cause_is_begun_since(timeline, wait, span->cause) ||
	    ((wait->is_relative || is_signalled) && sleep_may_be_killed(timeline, span, at)))
		return false;
	if (is_signalled || kind_is_evident(slices, span))
		return true;
	most = slices->grows ? limit_by_factor(slices) : wait->most;
	if (slices->grows)
		most += growth_slack(most);
	return wait->count >= slices_least(slices, span) &&
	       (length <= most || poll_fits(wait->most, length));
}

static void timeline_add_sliced_wait(struct timeline *timeline, struct slices *slices,
                                     const struct cause_note *cause)
{
	slices->wait.cause = cause;
	ARRAY_GROW(timeline->sliced_wait, timeline->sliced_wait_count,
	           timeline->sliced_wait_capacity);
	series_range_add(&timeline->track[slices->wait.track].sliced_waits,
	                 timeline->sliced_wait_count);
	timeline->sliced_wait[timeline->sliced_wait_count++] = slices->wait;
}

/* The track's history has no further slice. If a request was sent, the cause of the wait is known
   although no answer came. */
static void slices_end(struct timeline *timeline, struct slices *slices, bool is_left)
{
	const struct cause_note *request = slices_request(timeline, slices);

	slices->wait.is_left = is_left;
	if (slices->wait.count && (request || is_left))
		timeline_add_sliced_wait(timeline, slices, request);
	slices->wait.count = 0;
}

/* Two slices only seemed to grow: the row begins with the second one. */
static void slices_begin_later(struct slices *slices)
{
	nsec_t running = slices->running;
	struct span second = slices->second;

	slices_begin(slices, &second);
	slices_add(slices, &second);
	slices->running = running;
}

static void slices_follow(struct timeline *timeline, struct slices *slices,
                          const struct span *span, size_t at)
{
	/* slices for a request may have any length */
	if (slices->may_grow && !slices_request(timeline, slices) &&
	    !(span_is_slice(timeline, span) && slices_go_on(timeline, slices, span)))
		slices_begin_later(slices);
	if (span_is_slice(timeline, span)) {
		if (!slices_go_on(timeline, slices, span)) {
			slices_end(timeline, slices, false);
			slices_begin(slices, span);
		}
		slices_add(slices, span);
		return;
	}
	if (slices_end_with(timeline, slices, span, at)) {
		slices_add(slices, span);
		slices->wait.is_answered = !span->is_open;
		slices->wait.is_left = span->is_open;
		slices->wait.is_for_work = span->detail & WAIT_FOR_WORK;
		timeline_add_sliced_wait(timeline, slices, span->cause);
		slices->wait.count = 0;
	} else if (span->begin < span->end && !span->is_open &&
	           !slices_request(timeline, slices)) {
		/* the task waited for something else; slices for a request go on until its
		   answer */
		slices->wait.count = 0;
	}
}

void slices_take(struct slices *slices, struct timeline *timeline, uint32_t index, size_t at)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	struct span span;

	if (segment->kind == SEGMENT_RUN) {
		slices->running += timeline_segment_end(track, at) - segment->begin;
	} else if (segment->kind == SEGMENT_WAIT) {
		span = timeline_span(timeline, index, at);
		slices_follow(timeline, slices, &span, at);
	}
}

void slices_finish(struct slices *slices, struct timeline *timeline)
{
	slices_end(timeline, slices, /* is_left= */ true);
}

const struct sliced_wait *timeline_sliced_wait(const struct timeline *timeline, uint32_t track,
                                               nsec_t t)
{
	size_t at = series_around(timeline->sliced_wait, sizeof(*timeline->sliced_wait),
	                          &timeline->track[track].sliced_waits, t);

	return at != SIZE_MAX && timeline->sliced_wait[at].cause ? &timeline->sliced_wait[at]
	                                                         : NULL;
}
