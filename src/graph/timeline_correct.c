/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Later corrections of segments that were added. */
#include "timeline.h"

/* Splits the segment at t: inserts a copy behind it that begins at t. */
static void track_split(struct timeline *timeline, struct track *track, size_t at, nsec_t t)
{
	if (track->segment_count == track->segment_capacity)
		timeline_grow_track(track);
	memmove(track->segment + at + 1, track->segment + at,
	        (track->segment_count - at) * sizeof(*track->segment));
	track->segment_count++;
	track->segment[at + 1].begin = t;
	timeline->bytes += sizeof(*track->segment);
	for (uint32_t i = track->place_count; i-- > 0 && track->place[i].segment > at;)
		track->place[i].segment++;
	for (uint32_t i = track->spurious_wakeup_count;
	     i-- > 0 && track->spurious_wakeup[i].segment > at;)
		track->spurious_wakeup[i].segment++;
}

void timeline_correct(struct timeline *timeline, uint32_t index, nsec_t begin, nsec_t end,
                      const struct cause_note *cause)
{
	struct track *track = &timeline->track[index];
	size_t at = timeline_find(track, end);

	if (at == SIZE_MAX || track->segment[at].kind != SEGMENT_RUNNABLE ||
	    track->segment[at].cause != CAUSE_NONE || track->segment[at].begin > begin ||
	    timeline_segment_end(track, at) < end)
		return;
	if (end < timeline_segment_end(track, at)) {
		track_split(timeline, track, at, end);
		track->segment[at + 1].detail = RUNNABLE_UNTHROTTLED;
	}
	if (track->segment[at].begin < begin)
		track_split(timeline, track, at++, begin);
	track->segment[at].cause = timeline_add_cause(timeline, cause);
}
