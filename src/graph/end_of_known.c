/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "end_of_known.h"

#include "awaited.h"

nsec_t track_end_of_known(const struct timeline *timeline, uint32_t index)
{
	const struct track *track = &timeline->track[index];
	nsec_t later;

	if (!track->is_shown_open || timeline->ends_here)
		return NSEC_NEVER;
	later = timeline_awaited_later(timeline, index);
	if (later != NSEC_NEVER && later >= timeline->half)
		return later;
	return track->segment[track->segment_count - 1].begin;
}
