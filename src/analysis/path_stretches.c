/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "path_stretches.h"

enum chosen_sleep segment_chosen(const struct timeline *timeline, uint32_t index, size_t at)
{
	return timeline->track[index].segment[at].kind == SEGMENT_WAIT
	               ? timeline_chosen_sleep(timeline, index, at)
	               : SLEEP_NOT_CHOSEN;
}

void path_stretches(struct timeline *timeline, uint32_t index, nsec_t begin, nsec_t end,
                    const struct stretch_visitor *visitor)
{
	struct track *track = &timeline->track[index];
	size_t at = timeline_find(track, end);

	for (; at != SIZE_MAX && end > begin; at--) {
		nsec_t from, to;
		enum chosen_sleep chosen;

		if (track->segment[at].kind != SEGMENT_WAIT)
			continue;
		from = nsec_max(track->segment[at].begin, begin);
		to = nsec_min(timeline_segment_end(track, at), end);
		if (to <= begin)
			break;
		chosen = timeline_chosen_sleep(timeline, index, at);
		if (chosen == SLEEP_NOT_CHOSEN)
			continue;
		if (to < end)
			visitor->on_stretch(visitor->state, index, to, end);
		if (from < to)
			visitor->on_sleep(visitor->state, index, chosen, from, to);
		end = from;
	}
	if (begin < end)
		visitor->on_stretch(visitor->state, index, begin, end);
}
