/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "timeline_groups.h"

bool timeline_was_in_group(const struct timeline *timeline, uint32_t index,
                           bool (*is_meant)(const void *state, const char *path),
                           const void *state)
{
	const struct track *track = &timeline->track[index];
	nsec_t begin = track->born == NSEC_NEVER ? 0 : track->born;
	nsec_t end = track->is_open || track->end == 0 ? NSEC_NEVER : track->end;
	const struct group_stay *stay = timeline_group_at(timeline, index, end);

	while (stay) {
		if (stay->path && is_meant(state, intern_text(&timeline->names, stay->path)))
			return true;
		if (stay->since <= begin)
			break;
		stay = timeline_group_at(timeline, index, stay->since - 1);
	}
	return false;
}
