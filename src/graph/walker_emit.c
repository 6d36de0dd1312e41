/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts that the segment alone describes. */
#include "graph/walk/walker.h"
#include "runnable.h"

void walker_emit_open(struct walker *walker, const struct cause_note *note, nsec_t lo)
{
	/* that the task waits at this place is no guess */
	bool is_sure = cause_note_is_open(note);

	walker_emit(walker, lo,
	            &(struct part){.state = PART_WAITING,
	                           .cause = note,
	                           .confidence = is_sure ? CONFIDENCE_HIGH
	                                                 : (enum confidence)note->confidence,
	                           .is_open = true});
}

void walker_emit_running(struct walker *walker, const struct segment *segment, nsec_t lo)
{
	walker_emit(walker, lo,
	            &(struct part){
			    .state = PART_RUNNING,
			    .cpu = segment->cpu,
			    .confidence = segment_confidence(segment),
		    });
}

/* A cause of that kind, of which nothing else is known. */
static const struct cause_note *plain_cause(struct timeline *timeline, enum cause_kind kind)
{
	return timeline->plain[kind] ? timeline->plain[kind]
	                             : timeline_side_cause(timeline, kind, 0);
}

void walker_emit_runnable(struct walker *walker, const struct segment *segment, nsec_t lo)
{
	struct part part = {
		.state = PART_RUNNABLE,
		.cpu = segment->cpu,
		.confidence = segment_confidence(segment),
	};

	if (segment->cause != CAUSE_NONE) {
		part.cause = timeline_cause_at(walker->timeline, segment->cause);
		if (!segment->is_doubtful)
			part.confidence = (enum confidence)part.cause->confidence;
	} else if (segment->detail == RUNNABLE_WOKEN) {
		part.cause = plain_cause(walker->timeline, CAUSE_WOKEN);
	} else if (runnable_by_switch(segment->detail)) {
		part.cause = plain_cause(walker->timeline, CAUSE_PREEMPTED);
	}
	walker_emit(walker, lo, &part);
}
