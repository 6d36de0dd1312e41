/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "held_up.h"

/* A server that waits for the next request of a client has nothing to do. */
static bool span_is_of_server(const struct track *track, const struct span *span)
{
	return span->cause && span->cause->kind == CAUSE_NET && !span->cause->as.net.is_request &&
	       (track->accepts || span->cause->as.net.end == NET_END_PASSIVE);
}

bool span_is_idle_sleep(const struct timeline *timeline, const struct span *span)
{
	return wait_is_chosen(span->detail, false, span->cause) ||
	       span_is_of_server(&timeline->track[span->track], span);
}

bool span_is_ended_by_work_of_others(const struct timeline *timeline, const struct span *span)
{
	const struct cause_note *note = span->cause;

	if (!note || note->kind != CAUSE_WORK ||
	    (span->detail & (uint8_t)~WAIT_FOR_WORK) == 'D' ||
	    note->purpose == PURPOSE_FLUSH_WORK || note->purpose == PURPOSE_FLUSH_WORKQUEUE)
		return false;
	if (note->originator != TRACK_NONE)
		return note->originator != span->track &&
		       !timeline_is_one_process(timeline, note->originator, span->track);
	return !note->as.work.reason ||
	       timeline_cause_at(timeline, note->as.work.reason - 1)->kind != CAUSE_DISK;
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
