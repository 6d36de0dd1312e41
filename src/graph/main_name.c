/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "main_name.h"

/* How much longer, at least, a task is active under a name by which it is called although it has
   another one later, and how long at least. */
#define MAIN_NAME_TIMES 4
#define MAIN_NAME_NS    5000000

static uint32_t track_find_main_name(const struct track *track)
{
	uint32_t last = track->name_count - 1, name = 0;
	nsec_t end = nsec_min(track->name[last].active, track->active);

	for (uint32_t i = last; i-- > 0;) {
		nsec_t begin = nsec_min(track->name[i].active, end);

		/* `track->active - end`: under all later names */
		if (end - begin >= MAIN_NAME_NS &&
		    (end - begin) / MAIN_NAME_TIMES >= track->active - end)
			name = track->name[i].name;
		end = begin;
	}
	return name;
}

void timeline_settle_names(struct timeline *timeline)
{
	for (size_t i = 0; i < timeline->track_count; i++)
		if (timeline->track[i].name_count > 1)
			timeline->track[i].main_name = track_find_main_name(&timeline->track[i]);
}
