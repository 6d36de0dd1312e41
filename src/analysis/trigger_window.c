/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trigger_window.h"

uint32_t trigger_track_find(const struct timeline *timeline, const struct trigger_note *trigger)
{
	if (!trigger || trigger->tid == 0)
		return TRACK_NONE;
	/* of several tasks that had the tid, the last one by then */
	for (uint32_t index = (uint32_t)timeline->track_count; index-- > 0;) {
		const struct track *track = &timeline->track[index];

		if (track_id(track) == trigger->tid && track->begin != NSEC_NEVER &&
		    track->begin <= trigger->at)
			return index;
	}
	return TRACK_NONE;
}

static nsec_t trigger_begin(const struct trigger_note *trigger)
{
	if (trigger->since < trigger->at)
		return trigger->since;
	return trigger->at > TRIGGER_BEFORE_NS ? trigger->at - TRIGGER_BEFORE_NS : 0;
}

/* The end of the wait in which the trigger's task was when it fired, else that instant. */
static nsec_t trigger_end(const struct timeline *timeline, const struct trigger_note *trigger)
{
	uint32_t index = trigger_track_find(timeline, trigger);
	struct track *track;
	size_t at;

	if (index == TRACK_NONE)
		return trigger->at;
	track = &timeline->track[index];
	at = timeline_find(track, trigger->at);
	if (at == SIZE_MAX || (track->segment[at].kind != SEGMENT_WAIT &&
	                       track->segment[at].kind != SEGMENT_RUNNABLE))
		return trigger->at;
	return nsec_max(timeline_segment_end(track, at), trigger->at);
}

void trigger_window_resolve(struct question *question)
{
	const struct trigger_note *trigger = question->recording.trigger;

	if (!question->asked->at_trigger || !trigger)
		return;
	question->from = question_give(question, trigger_begin(trigger));
	question->to = question_give(question, trigger_end(question->timeline, trigger));
}
