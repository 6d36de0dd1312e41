/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "awaited.h"

#include <assert.h>

#include "ended_child.h"
#include "ftwait/aim.h"
#include "graph/timeline/timeline_tasks.h"
#include "last_child.h"
#include "words/cause/aim_kind.h"

/* Whether a sleep on the task's own timer, with which no series goes on, begins none either, as the
   next wait shows: it is no sleep, and lasts as long. */
static bool sleep_stays_alone(const struct timeline *timeline, uint32_t index, size_t at,
                              const struct cause_note *timer)
{
	const struct track *track = &timeline->track[index];
	const struct segment *sleep = &track->segment[at], *next;
	nsec_t length = timeline_segment_end(track, at) - sleep->begin;
	const struct cause_note *cause;

	if (!cause_note_is_own_timer(timer) || timer->as.timer.request || length == 0)
		return false;
	for (at++; at < track->segment_count && track->segment[at].kind != SEGMENT_WAIT; at++)
		;
	if (at == track->segment_count || timeline_is_open(track, at))
		return false;
	next = &track->segment[at];
	cause = segment_cause(timeline, next);
	return timeline_segment_end(track, at) - next->begin >= length &&
	       !poll_may_take(/* poll= */ NULL, timeline, index, cause) &&
	       slice_is_apart(sleep->timeout, next, cause);
}

/* What goes through the history of one track. */
struct series_search {
	struct timeline *timeline;
	uint32_t track;
	bool finds_polls, finds_slices;
	struct sleep_series poll;
	struct slices slices;
};

/* No series has begun. Then nothing is summed up: it begins with sums of its own. */
static inline bool search_is_idle(const struct series_search *search)
{
	return !search->poll.count && !search->slices.series.count;
}

/* Takes in a wait of that length, with which a series may go on, end, or begin. */
static void search_take_wait(struct series_search *search, size_t at, nsec_t length, bool may_poll)
{
	struct timeline *timeline = search->timeline;
	const struct track *track = &timeline->track[search->track];
	const struct segment *segment = &track->segment[at];
	const struct cause_note *cause = segment_cause(timeline, segment);
	struct sleep_series *poll = &search->poll;
	bool may_slice = search->finds_slices &&
	                 slices_may_take(&search->slices, segment, cause,
	                                 length > 0 && !timeline_is_open(track, at));
	struct poll_sleep sleep;
	struct span span;

	if (!may_poll)
		poll->other += length;
	/* one sleep, after which the task waited for something else for as long */
	if (poll->count == 1 && !poll->is_by_child && poll->other >= poll->slept)
		poll->count = 0;
	if ((!may_poll && !may_slice) ||
	    (search_is_idle(search) && sleep_stays_alone(timeline, search->track, at, cause)))
		return;
	span = timeline_span(timeline, search->track, at);
	if (may_poll && search->finds_polls && poll_take(poll, timeline, &span, &sleep)) {
		poll_end(timeline, poll);
		series_begin(poll, &span, &sleep);
	}
	if (may_slice)
		slices_take(&search->slices, timeline, &span, at);
}

/* Finds polls and slices in one pass. A series begins only with a sleep on the task's own timer, or
   with a child that sleeps for the task; a row of slices may end with any wait. */
static void search_take(struct series_search *search, size_t from, size_t to)
{
	const struct timeline *timeline = search->timeline;
	const struct track *track = &timeline->track[search->track];
	bool is_idle = search_is_idle(search), may_poll;

	for (size_t at = from; at < to; at++) {
		const struct segment *segment = &track->segment[at];
		nsec_t length;

		if (segment->kind != SEGMENT_WAIT && (segment->kind != SEGMENT_RUN || is_idle))
			continue;
		length = timeline_segment_end(track, at) - segment->begin;
		if (segment->kind == SEGMENT_RUN) {
			search->slices.series.running += length;
			search->poll.running += length;
			continue;
		}
		may_poll = poll_may_take(&search->poll, timeline, search->track,
		                         segment_cause(timeline, segment));
		if (is_idle && !may_poll)
			continue;
		search_take_wait(search, at, length, may_poll);
		is_idle = search_is_idle(search);
	}
}

/* Polls are not found again in what was searched before: the sleeps that they began with may be
   forgotten. What is shown open will have another end. */
static void track_find_series(struct timeline *timeline, uint32_t index)
{
	struct track *track = &timeline->track[index];
	size_t known = track->segment_count - track->is_shown_open, taken;
	struct series_search search = {
		.timeline = timeline,
		.track = index,
		.finds_slices = timeline->through_polls != POLLS_NEVER,
	};
	struct sleep_series poll;

	taken = series_resume(&track->series, &poll);
	taken = taken > track->segments_gone ? taken - track->segments_gone : 0;
	search_take(&search, 0, taken);
	search.finds_polls = true;
	search.poll = poll;
	search_take(&search, taken, known);
	poll = search.poll;
	search.finds_polls = false;
	search_take(&search, known, track->segment_count);
	poll.is_left = true;
	poll_end(timeline, &poll);
	slices_end(&search.slices, timeline, /* is_left= */ true);
	if (track->series)
		track->series[SERIES_OF_POLLS].taken = track->segments_gone + known;
}

void timeline_find_awaited(struct timeline *timeline)
{
	struct track *track = timeline->track;

	for (uint32_t i = 0; i < timeline->track_count; i++)
		track[i].last_child = TRACK_NONE;
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		uint32_t parent = track_known_parent(&track[i]);

		if (track[i].parent != TRACK_NONE && poll_may_be_sleeper(&track[i]))
			track[track[i].parent].has_sleepers = true;
		if (parent == TRACK_NONE)
			continue;
		track[i].child_before = track[parent].last_child;
		track[parent].last_child = i;
		if (!timeline_is_one_process(timeline, parent, i))
			track[parent].has_children = true;
	}
	for (uint32_t i = 0; i < timeline->track_count; i++) {
		if (track[i].has_sleepers || track[i].has_own_timers)
			track_find_series(timeline, i);
		else
			series_forget(&track[i].series);
	}
	timeline_settle_polls(timeline);
	timeline_find_ended_children(timeline);
	if (timeline->through_polls != POLLS_NEVER)
		timeline_find_last_children(timeline);
}

/* Whether the wait is a sleep of a poller whose child lived meanwhile, or had just ended unnoticed
   by the poller. */
static bool awaited_by_poll(const struct timeline *timeline, uint32_t track, size_t at,
                            struct awaited *ret)
{
	nsec_t begin = timeline->track[track].segment[at].begin;
	const struct sleep_series *poll =
		series_of(timeline->track[track].series, SERIES_OF_POLLS, begin);
	struct poll_sleep sleep;
	struct span span;

	if (!poll || !poll_has_child(poll) ||
	    (timeline->through_polls != POLLS_ALL && !poll_ends_with_child(poll)))
		return false;
	assert(poll->track == track && poll->child < timeline->track_count);
	/* else the track waited for something else, or for the child of the series itself, which
	   may have slept, too */
	if (poll->is_by_child) {
		span = timeline_span(timeline, track, at);
		ret->timer = span.cause && span.cause->waker != poll->child &&
		                             poll_find_sleep(timeline, &span, &sleep) &&
		                             sleep.is_by_child
		                     ? sleep.timer : NULL;
	}
	if (!ret->timer || !cause_note_is_own_timer(ret->timer) ||
	    track_known_born(&timeline->track[poll->child]) > begin ||
	    (timeline->track[poll->child].end <= begin && !poll_ends_with_child(poll)))
		return false;
	ret->series = poll;
	/* the child, and no other, ended when the series did */
	ret->confidence = poll_ends_with_child(poll) && poll->rivals == 0 ? CONFIDENCE_MEDIUM
	                                                                  : CONFIDENCE_LOW;
	return true;
}

/* Whether the sleep is for its own sake although it lies between the slices of a wait. */
static bool sleep_is_its_own(const struct timeline *timeline, const struct segment *segment,
                             const struct cause_note *note, const struct sleep_series *wait)
{
	const struct cause_note *request = timeline_request(timeline, note);

	assert(note->kind == CAUSE_TIMER && wait->cause);
	if (wait->is_retried)
		return request != wait->cause &&
		       !(request && cause_is_same_file_lock(request, wait->cause));
	if (note->as.timer.call != CALL_NONE)
		return note->as.timer.call == CALL_NANOSLEEP;
	return segment->timeout == TIMEOUT_RELATIVE && !wait->is_relative;
}

/* Whether the task was seen to want what it did not get by the end of this wait, and who had it, or
   that it is a lock. An answer comes by a wake-up of its own. */
static bool awaited_in_vain(const struct timeline *timeline, uint32_t index, size_t at,
                            struct awaited *ret)
{
	const struct track *track = &timeline->track[index];
	const struct aim_note *aim = timeline_aim_note(timeline, index, track->segment[at].begin,
	                                               timeline_segment_end(track, at));
	const struct cause_note *cause;

	if (!aim || (aim->how == AIM_HAD && aim->kind != AIM_ANSWER) || aim->cause == CAUSE_NONE)
		return false;
	cause = timeline_cause_at(timeline, aim->cause);
	if (cause->kind == CAUSE_TASK && !cause->is_walked)
		return false;
	ret->cause = cause;
	ret->series = series_of(track->series, SERIES_OF_SLICES, track->segment[at].begin);
	ret->confidence = (enum confidence)cause->confidence;
	return true;
}

bool timeline_awaited_of(const struct timeline *timeline, uint32_t index, size_t at,
                         struct awaited *ret)
{
	const struct track *track = &timeline->track[index];
	const struct segment *segment = &track->segment[at];
	const struct cause_note *note;

	if (segment->cause == CAUSE_NONE || timeline->through_polls == POLLS_NEVER ||
	    timeline_is_open(track, at))
		return false;
	note = timeline_cause_at(timeline, segment->cause);
	*ret = (struct awaited){.timer = note, .confidence = CONFIDENCE_MEDIUM};
	if (awaited_in_vain(timeline, index, at, ret))
		return true;
	if (!track->series)
		return false;
	ret->series = series_of(track->series, SERIES_OF_KILL, segment->begin);
	/* it ended a child when this sleep was over, unless it slept for what it is known to have
	   wanted */
	if (ret->series && !timeline_request(timeline, note) &&
	    (cause_note_is_sleep(note) ||
	     (cause_note_is_chosen(note) && aim_of_purpose(note->purpose) == AIM_CHILD)))
		return true;
	if (!poll_may_take(/* poll= */ NULL, timeline, index, note))
		return false;
	ret->series = note->kind == CAUSE_TASK
	                      ? NULL
	                      : series_of(track->series, SERIES_OF_SLICES, segment->begin);
	if (!ret->series || sleep_is_its_own(timeline, segment, note, ret->series))
		return awaited_by_poll(timeline, index, at, ret);
	assert(ret->series->cause);
	ret->cause = ret->series->cause;
	ret->is_for_work = ret->series->is_for_work;
	return true;
}

nsec_t track_end_of_known(const struct timeline *timeline, uint32_t index)
{
	const struct track *track = &timeline->track[index];
	const struct series_log *logs = track->series;
	nsec_t later = NSEC_NEVER;

	if (!track->is_shown_open || timeline->ends_here)
		return NSEC_NEVER;
	if (logs && timeline->through_polls != POLLS_NEVER)
		later = nsec_min(series_left_begin(&logs[SERIES_OF_POLLS]),
		                 series_left_begin(&logs[SERIES_OF_SLICES]));
	if (later != NSEC_NEVER && later >= timeline->half)
		return later;
	assert(track->segment_count > 0);
	return track->segment[track->segment_count - 1].begin;
}

struct segment_range track_take_known(const struct timeline *timeline, uint32_t index,
                                      size_t *taken)
{
	const struct track *track = &timeline->track[index];
	nsec_t known = track_end_of_known(timeline, index);
	struct segment_range range = {
		*taken > track->segments_gone ? *taken - track->segments_gone : 0,
		track->segment_count,
	};

	while (range.end > range.begin && track->segment[range.end - 1].begin >= known)
		range.end--;
	*taken = track->segments_gone + range.end;
	return range;
}

nsec_t track_end_of_path(const struct timeline *timeline, uint32_t index)
{
	nsec_t known = track_end_of_known(timeline, index);

	return known == NSEC_NEVER ? known
	                           : nsec_min(known, track_row_left(&timeline->track[index]));
}

bool span_is_left(const struct timeline *timeline, const struct span *span)
{
	const struct cause_note *note = span->cause;
	const struct track *track = &timeline->track[span->track];
	const struct aim_note *aim;
	enum aim_kind kind;

	if (!note || note->kind != CAUSE_SIGNAL || !note->as.signal.is_end ||
	    track->tid == track->tgid ||
	    !timeline_is_one_process(timeline, span->track, note->waker))
		return false;
	aim = timeline_aim_note(timeline, span->track, span->begin, span->end);
	kind = aim ? (enum aim_kind)aim->kind : aim_of_purpose(note->purpose);
	return kind == AIM_NONE || kind == AIM_CONDITION || kind == AIM_SEMAPHORE;
}

bool span_is_idle_sleep(const struct timeline *timeline, const struct span *span)
{
	const struct cause_note *note = span->cause;

	/* a server that waits for the next request of a client has nothing to do */
	return wait_is_chosen(span->detail, false, note) || span_is_left(timeline, span) ||
	       (note && note->kind == CAUSE_NET && !note->as.net.is_request &&
	        (timeline->track[span->track].accepts || note->as.net.end == NET_END_PASSIVE));
}

bool span_is_ended_by_work_of_others(const struct timeline *timeline, const struct span *span)
{
	const struct cause_note *note = span->cause, *reason;

	if (!note || note->kind != CAUSE_WORK ||
	    (span->detail & (uint8_t)~WAIT_FOR_WORK) == 'D' ||
	    note->purpose == PURPOSE_FLUSH_WORK || note->purpose == PURPOSE_FLUSH_WORKQUEUE)
		return false;
	if (note->originator != TRACK_NONE)
		return note->originator != span->track &&
		       !timeline_is_one_process(timeline, note->originator, span->track);
	reason = timeline_linked_cause(timeline, note->as.work.reason);
	return !reason || reason->kind != CAUSE_DISK;
}

bool span_holds_up(const struct timeline *timeline, const struct span *span)
{
	if (span->kind != SEGMENT_WAIT || span_is_idle_sleep(timeline, span) ||
	    span_is_ended_by_work_of_others(timeline, span))
		return false;
	if (!span->is_open || (span->detail & (uint8_t)~WAIT_FOR_WORK) == 'D')
		return true;
	return span->cause && span->cause->kind != CAUSE_UNKNOWN && span->cause->kind != CAUSE_TASK;
}

uint32_t cause_note_behind(const struct cause_note *note, uint32_t sleeper)
{
	uint32_t behind = note->kind == CAUSE_LOCK && note->originator != TRACK_NONE
	                          ? note->originator
	                  : note->waker != TRACK_NONE ? note->waker
	                                              : note->originator;

	return behind == sleeper ? TRACK_NONE : behind;
}
