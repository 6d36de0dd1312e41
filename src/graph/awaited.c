/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "awaited.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "ftwait/aim.h"
#include "words/aim_kind.h"

/* Returns by track whether it has children that may sleep for it. */
static bool *parents_of_sleepers(const struct timeline *timeline)
{
	bool *is_parent = xcalloc(timeline->track_count + 1, sizeof(*is_parent));

	for (size_t track = 0; track < timeline->track_count; track++)
		if (timeline->track[track].parent != TRACK_NONE &&
		    poll_may_be_sleeper(&timeline->track[track]))
			is_parent[timeline->track[track].parent] = true;
	return is_parent;
}

static inline bool segment_is_own_sleep(const struct timeline *timeline,
                                        const struct segment *segment)
{
	return segment->kind == SEGMENT_WAIT && segment->cause != CAUSE_NONE &&
	       cause_note_is_own_timer(timeline_cause_at(timeline, segment->cause));
}

/* Finds polls and slices in one pass. A series begins only with a sleep on the task's own timer, or
   with a child that sleeps for the task. */
static void track_find_series(struct timeline *timeline, uint32_t index, bool is_parent)
{
	const struct track *track = &timeline->track[index];
	struct poll_search polls = {.from = 0};
	struct slices slices = {.timer = NULL};

	for (size_t at = 0; at < track->segment_count; at++) {
		bool is_sleep = segment_is_own_sleep(timeline, &track->segment[at]);

		if (is_parent)
			poll_search_follow(&polls, timeline, index, at);
		else if (is_sleep)
			poll_search_take(&polls, timeline, index, at);
		if ((is_sleep || slices_are_followed(&slices)) &&
		    timeline->through_polls != POLLS_NEVER)
			slices_take(&slices, timeline, index, at);
	}
	poll_search_finish(&polls, timeline);
	slices_finish(&slices, timeline);
}

void timeline_find_polls(struct timeline *timeline)
{
	bool *is_parent = parents_of_sleepers(timeline);

	timeline->poll_count = timeline->sliced_wait_count = 0;
	for (uint32_t track = 0; track < timeline->track_count; track++) {
		timeline->track[track].polls = (struct series_range){0};
		timeline->track[track].sliced_waits = (struct series_range){0};
		if (is_parent[track] || timeline->track[track].has_own_timers)
			track_find_series(timeline, track, is_parent[track]);
	}
	timeline_settle_polls(timeline);
	timeline_find_killed(timeline);
	free(is_parent);
}

void timeline_find_awaited(struct timeline *timeline)
{
	if (timeline->through_polls != POLLS_NEVER)
		timeline_find_polls(timeline);
}

/* The timer of the child that slept for the track meanwhile; NULL: the track waited for something
   else. */
static const struct cause_note *poll_note_of_child(const struct timeline *timeline, uint32_t track,
                                                   size_t at)
{
	struct span span = timeline_span(timeline, track, at);
	struct poll_sleep sleep;

	return poll_find_sleep(timeline, &span, &sleep) && sleep.is_by_child ? sleep.timer : NULL;
}

/* Whether the wait is a sleep of a poller whose child lived meanwhile, or had just ended unnoticed
   by the poller. */
static bool awaited_by_poll(const struct timeline *timeline, uint32_t track, size_t at,
                            struct awaited *ret)
{
	const struct segment *segment = &timeline->track[track].segment[at];
	const struct poll *poll = timeline_poll(timeline, track, segment->begin);

	if (!poll || !poll_has_child(poll) ||
	    (timeline->through_polls != POLLS_ALL && !poll_ends_with_child(poll)))
		return false;
	if (poll->is_by_child)
		ret->timer = poll_note_of_child(timeline, track, at);
	if (!ret->timer || !cause_note_is_own_timer(ret->timer) ||
	    timeline->track[poll->child].born > segment->begin ||
	    (timeline->track[poll->child].end <= segment->begin && !poll_ends_with_child(poll)))
		return false;
	ret->poll = poll;
	ret->confidence = poll_confidence(poll);
	return true;
}

/* Whether the task ended a child when this sleep was over. */
static bool awaited_by_kill(const struct timeline *timeline, uint32_t track, size_t at,
                            const struct cause_note *note, struct awaited *ret)
{
	const struct poll *killed =
		timeline_killed(timeline, track, timeline->track[track].segment[at].begin);

	/* it slept for what it is known to have wanted, and not for the child */
	if (!killed || timeline_request(timeline, note) ||
	    !(cause_note_is_sleep(note) || (cause_note_is_chosen(note) &&
	                                    aim_of_purpose(note->purpose) == AIM_CHILD)))
		return false;
	*ret = (struct awaited){.poll = killed, .timer = note, .confidence = CONFIDENCE_MEDIUM};
	return true;
}

/* Whether a wait with this end may be a sleep that is for something else: most are not examined
   further. */
static inline bool note_may_be_awaited(const struct timeline *timeline, uint32_t track,
                                       const struct cause_note *note)
{
	if (note->kind == CAUSE_TASK)
		return timeline->track[track].polls.count && note->waker != TRACK_NONE &&
		       timeline->track[note->waker].parent == track &&
		       poll_may_be_sleeper(&timeline->track[note->waker]);
	return cause_note_is_chosen(note);
}

/* Whether the sleep is for its own sake although it lies between the slices of a wait. */
static bool sleep_is_its_own(const struct timeline *timeline, const struct segment *segment,
                             const struct cause_note *note, const struct sliced_wait *wait)
{
	const struct cause_note *request = timeline_request(timeline, note);

	if (request_is_retried(wait->cause) && !wait->is_answered)
		return request != wait->cause &&
		       !(request && cause_is_same_file_lock(request, wait->cause));
	if (note->as.timer.call != CALL_NONE)
		return note->as.timer.call == CALL_NANOSLEEP;
	return segment->timeout == TIMEOUT_RELATIVE && !wait->is_relative;
}

/* Whether the task was seen to want what it did not get by the end of this wait. */
static bool awaited_in_vain(const struct timeline *timeline, const struct track *track, size_t at,
                            const struct cause_note *note, struct awaited *ret)
{
	const struct aim_note *aim = aim_log_find(track->aims, track->segment[at].begin,
	                                          timeline_segment_end(track, at));

	if (!aim || aim->how == AIM_HAD || aim->cause == CAUSE_NONE)
		return false;
	*ret = (struct awaited){.cause = timeline_cause_at(timeline, aim->cause), .timer = note};
	ret->confidence = (enum confidence)ret->cause->confidence;
	return true;
}

bool timeline_awaited_of(const struct timeline *timeline, uint32_t track, size_t at,
                         struct awaited *ret)
{
	const struct segment *segment = &timeline->track[track].segment[at];
	const struct cause_note *note;
	const struct sliced_wait *wait;

	if (segment->cause == CAUSE_NONE || timeline->through_polls == POLLS_NEVER)
		return false;
	note = timeline_cause_at(timeline, segment->cause);
	if (timeline_is_open(&timeline->track[track], at))
		return false;
	if (awaited_in_vain(timeline, &timeline->track[track], at, note, ret))
		return true;
	if (timeline->track[track].killed.count && awaited_by_kill(timeline, track, at, note, ret))
		return true;
	if (!note_may_be_awaited(timeline, track, note))
		return false;
	*ret = (struct awaited){.timer = note, .confidence = CONFIDENCE_MEDIUM};
	if (note->kind == CAUSE_TASK)
		return awaited_by_poll(timeline, track, at, ret);
	wait = timeline_sliced_wait(timeline, track, segment->begin);
	if (!wait || sleep_is_its_own(timeline, segment, note, wait))
		return awaited_by_poll(timeline, track, at, ret);
	ret->cause = wait->cause;
	ret->is_for_work = wait->is_for_work;
	return true;
}

nsec_t timeline_awaited_later(const struct timeline *timeline, uint32_t index)
{
	const struct track *track = &timeline->track[index];

	if (timeline->through_polls == POLLS_NEVER)
		return NSEC_NEVER;
	return nsec_min(series_left_begin(timeline->poll, sizeof(*timeline->poll), &track->polls),
	                series_left_begin(timeline->sliced_wait, sizeof(*timeline->sliced_wait),
	                                  &track->sliced_waits));
}
