/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sliced_wait.h"

#include <assert.h>

#include "base/assume.h"
#include "poll.h"
#include "ftwait/aim.h"
#include "sleep_series.h"
#include "words/cause/aim_kind.h"

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

static nsec_t slice_length(const struct span *span)
{
	ASSUME(span->cause && span->begin <= span->end);
	return sleep_asked_length(span->cause, span->end - span->begin);
}

/* Whether all that is known of both sleeps is the same. The timer slack of poll is a thousandth of
   the time, but at least that of other sleeps: a short poll cannot be distinguished from them. */
static bool sleep_is_alike(const struct sleep_series *series, const struct span *span)
{
	uint8_t timeout = sleep_limit_kind(span->timeout);
	bool is_same = series->timeout == timeout ||
	               (series->timeout == TIMEOUT_POLL && timeout == TIMEOUT_OTHER &&
	                span->end - span->begin < POLL_SHORT) ||
	               (series->timeout == TIMEOUT_OTHER && timeout == TIMEOUT_POLL &&
	                series->most < POLL_SHORT);

	return is_same &&
	       (!series->frames || !span_frames(span) || series->frames == span_frames(span));
}

/* Whether more than its length shows that the sleep is of the same kind as the slices: a loop that
   polls has different limits for different events, and a task that an alarm wakes sleeps on at the
   same place. Elsewhere a place or a call shows nothing: a sleep for a time, and a wait with a
   limit that grows, may be in the same function. */
static bool kind_is_evident(const struct sleep_series *series, const struct span *span)
{
	return series->timeout == TIMEOUT_POLL ||
	       (series->timeout == TIMEOUT_ALARM && series->frames && span_frames(span));
}

static bool run_is_short(const struct sleep_series *series)
{
	return series->running <= series_run_most(series->most);
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
	assert(slices->before > 0);
	return (nsec_t)((double)slices->last * (double)slices->last / (double)slices->before);
}

/* Whether this length goes on as the last two grew: by a factor, or by a step. */
static bool growth_goes_on(const struct slices *slices, nsec_t length)
{
	return slices->last > slices->before &&
	       (length_is_near(length, limit_by_factor(slices)) ||
	        length_is_near(length, 2 * slices->last - slices->before));
}

/* Whether the length fits those so far: it is the same, or they grow. Two slices may only seem
   to. */
static bool length_fits(const struct slices *slices, nsec_t length)
{
	if (slices->may_grow)
		return growth_goes_on(slices, length);
	if (poll_fits(slices->series.most, length))
		return true;
	if (slices->grows) /* a ceiling may cut the last step */
		return growth_goes_on(slices, length) ||
		       (length > slices->last && length < limit_by_factor(slices));
	return slices->series.count == 1 && length > slices->last &&
	       length / GROWTH_MOST <= slices->last;
}

/* Whether such a sleep is the next slice. Those for a request may have any length. */
static bool slices_go_on(const struct timeline *timeline, const struct slices *slices,
                         const struct span *span)
{
	const struct sleep_series *series = &slices->series;

	if (series->count == 0 || timeline_request(timeline, span->cause) != series->cause)
		return false;
	return series->cause ||
	       (span->cause->name == series->name && span->cause->as.timer.call == series->call &&
	        sleep_is_alike(series, span) && run_is_short(series) &&
	        (kind_is_evident(series, span) || span->timeout == TIMEOUT_AGAIN ||
	         length_fits(slices, slice_length(span))));
}

static void slices_begin(struct slices *slices, const struct timeline *timeline,
                         const struct span *span)
{
	const struct cause_note *request = timeline_request(timeline, span->cause);
	nsec_t length = slice_length(span);

	assert(cause_note_is_timeout(span->cause));
	series_begin(&slices->series, span, &(struct poll_sleep){span->cause, length, false});
	slices->series.timeout = sleep_limit_kind(span->timeout);
	slices->series.is_relative = span->timeout == TIMEOUT_RELATIVE;
	slices->series.cause = request;
	slices->series.is_for_work = request && cause_note_is_work(request);
	slices->series.is_retried = request && request_is_retried(request);
	slices->last = length;
	slices->may_grow = slices->grows = false;
}

static void slices_add(struct slices *slices, const struct span *span)
{
	struct sleep_series *series = &slices->series;
	nsec_t length = slice_length(span);

	slices->grows |= slices->may_grow;
	slices->may_grow = series->count == 1 && !series->cause &&
	                   span->timeout != TIMEOUT_AGAIN && !poll_fits(slices->last, length);
	if (slices->may_grow)
		slices->second = *span;
	slices->before = slices->last;
	slices->last = length;
	if (span->timeout == TIMEOUT_POLL)
		series->timeout = TIMEOUT_POLL;
	series_take(series, span, length);
}

/* Causes that show what a wait in slices was for: another task, an object that a task has, or an
   event from outside. A signal only interrupts a wait; the end of a child is a CAUSE_TASK. */
#define AWAITED_CAUSES                                                                        \
	(1u << CAUSE_TASK | 1u << CAUSE_LOCK | 1u << CAUSE_NET | 1u << CAUSE_DISK |           \
	 1u << CAUSE_WORK)

/* A task that sets an alarm for a sleep and sleeps on after it may also wait for a signal: another
   process sends it when it releases what they share. So does a task that takes the signal itself,
   but an event loop has other events. */
static bool signal_is_awaited(const struct timeline *timeline, const struct sleep_series *series,
                              const struct span *span)
{
	return span->cause->kind == CAUSE_SIGNAL && span->cause->waker != TRACK_NONE &&
	       (series->timeout == TIMEOUT_ALARM ||
	        (series->timeout != TIMEOUT_TIMER && span->cause->purpose == PURPOSE_SIGWAIT)) &&
	       !timeline_is_one_process(timeline, span->cause->waker, span->track);
}

/* The task behind the end of a wait: not the worker, which executes the items of all tasks. */
static uint32_t cause_doer(const struct cause_note *cause)
{
	return cause->is_walked && cause->kind != CAUSE_WORK ? cause->waker : cause->originator;
}

/* Whether the sleeper's own process created the task behind the end of the wait after the first
   slice, so that the earlier slices cannot have been for it. */
static bool cause_is_begun_since(const struct timeline *timeline, const struct sleep_series *wait,
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
static bool cause_is_answer(const struct timeline *timeline, const struct sleep_series *wait,
                            const struct cause_note *cause, nsec_t t)
{
	uint32_t doer = cause_doer(cause);
	struct track *track = doer == TRACK_NONE ? NULL : &timeline->track[doer];
	size_t at = track ? timeline_find(track, t) : SIZE_MAX;

	assert(wait->end <= t);
	for (; at != SIZE_MAX && timeline_segment_end(track, at) > wait->end; at--) {
		const struct cause_note *end = segment_cause(timeline, &track->segment[at]);

		if (track->segment[at].kind != SEGMENT_WAIT || !end ||
		    timeline_segment_end(track, at) > t)
			continue;
		return track->segment[at].begin < wait->end &&
		       timeline_is_one_process(timeline, cause_doer(end), wait->track);
	}
	return false;
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
   event: the task never slept again. */
static bool sleep_may_be_killed(const struct timeline *timeline, const struct span *span,
                                size_t at)
{
	const struct track *track = &timeline->track[span->track];

	assert(track->segment[at].begin == span->begin);
	return !track_waits_after(track, at) && !track->is_open && !track->is_shown_open &&
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
	const struct sleep_series *wait = &slices->series;
	const struct cause_note *request = wait->cause;
	nsec_t length = span->end - span->begin, most;
	enum aim_kind kind;
	uint64_t least;
	bool is_signalled;

	if (wait->count == 0 || !span->cause)
		return false;
	/* what an open wait is for is known only where the recorder or a stack shows that */
	kind = aim_of_purpose(span->cause->purpose);
	if (span->is_open && span->cause->kind == CAUSE_UNKNOWN &&
	    (kind == AIM_NONE || kind == AIM_TIME || kind == AIM_KERNEL))
		return false;
	if (wait->is_retried)
		return span->is_open && cause_is_same_file_lock(request, span->cause);
	if (request)
		return span->cause->kind == CAUSE_NET &&
		       span->cause->as.net.peer == request->as.net.peer &&
		       span->cause->as.net.local_port == request->as.net.local_port;
	is_signalled = signal_is_awaited(timeline, wait, span);
	if (!(AWAITED_CAUSES & 1u << span->cause->kind || is_signalled || span->is_open) ||
	    !sleep_is_alike(wait, span) ||
	    (span->detail & (uint8_t)~WAIT_FOR_WORK) != 'S' || !run_is_short(wait) ||
	    (wait->acts + !span->is_quiet) * SERIES_ACTS_PART > wait->count ||
	    cause_is_answer(timeline, wait, span->cause, span->end) ||
	    cause_is_begun_since(timeline, wait, span->cause) ||
	    ((wait->is_relative || is_signalled) && span->cause->purpose != PURPOSE_SIGWAIT &&
	     sleep_may_be_killed(timeline, span, at)))
		return false;
	/* an alarm need not be the limit of the call, nor the next wait have one */
	if (is_signalled || kind_is_evident(wait, span) ||
	    (wait->timeout == TIMEOUT_ALARM && cause_is_childs_end(timeline, span)))
		return true;
	most = slices->grows ? limit_by_factor(slices) : wait->most;
	if (slices->grows)
		most += growth_slack(most);
	least = wait->timeout == TIMEOUT_NONE || wait->timeout == TIMEOUT_ALARM ||
	                        wait->timeout == TIMEOUT_TIMER
	                ? LEAST_UNSEEN
	        : span->timeout == TIMEOUT_AGAIN ? LEAST_OF_LIMIT
	                                         : LEAST_OF_LENGTH;
	return wait->count >= least &&
	       (length <= most || poll_fits(wait->most, length));
}

void slices_end(struct slices *slices, struct timeline *timeline, bool is_left)
{
	struct sleep_series *series = &slices->series;

	series->is_left = is_left;
	series->is_unproven = !series->cause;
	if (series->count && (series->cause || is_left))
		series_add(&timeline->track[series->track].series, SERIES_OF_SLICES, series);
	series->count = 0;
	slices->may_grow = false;
}

void slices_take(struct slices *slices, struct timeline *timeline, const struct span *span,
                 size_t at)
{
	struct sleep_series *series = &slices->series;
	bool is_slice = span_is_slice(timeline, span);
	nsec_t running = series->running;
	bool goes_on;

	/* if the recording began after the timer of the first slice was armed, its limit is not
	   known: then it counts as a slice of the loop that polls right after it */
	if (series->count == 1 && series->timeout == TIMEOUT_NONE && !series->cause &&
	    span->timeout == TIMEOUT_POLL)
		series->timeout = TIMEOUT_POLL;
	goes_on = is_slice && slices_go_on(timeline, slices, span);
	if (slices->may_grow && !goes_on) {
		/* two slices only seemed to grow: the row begins with the second one */
		assert(series->count == 2 && !series->cause);
		slices_begin(slices, timeline, &slices->second);
		series->running = running;
		goes_on = is_slice && slices_go_on(timeline, slices, span);
	}
	if (goes_on) {
		slices_add(slices, span);
	} else if (is_slice) {
		slices_end(slices, timeline, /* is_left= */ false);
		slices_begin(slices, timeline, span);
	} else if (slices_end_with(timeline, slices, span, at)) {
		slices_add(slices, span);
		series->is_answered = !span->is_open;
		series->is_for_work = span->detail & WAIT_FOR_WORK;
		series->cause = span->cause;
		slices_end(slices, timeline, /* is_left= */ span->is_open);
	} else if (span->begin < span->end && !span->is_open && !series->cause) {
		/* it waited for something else; slices for a request go on until its answer */
		slices_end(slices, timeline, /* is_left= */ false);
	}
}
