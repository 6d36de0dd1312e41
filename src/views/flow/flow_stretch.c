/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "flow_stretch.h"

/* Cuts a segment to the window; false: nothing is left. */
static bool segment_clip(const struct flow_scale *scale, const struct track *track, size_t at,
                         nsec_t *begin, nsec_t *end)
{
	*begin = nsec_max(track->segment[at].begin, scale->begin);
	*end = nsec_min(timeline_segment_end(track, at), scale->end);
	return *begin < *end;
}

static size_t first_segment(const struct flow_scale *scale, struct track *track)
{
	size_t at = timeline_find(track, scale->begin);

	return at == SIZE_MAX ? 0 : at;
}

bool flow_stretch_next(const struct flow_scale *scale, struct track *track,
                       struct flow_stretch *stretch)
{
	size_t at = stretch->count ? stretch->next : first_segment(scale, track);
	nsec_t begin, end;

	while (at < track->segment_count && !segment_clip(scale, track, at, &begin, &end))
		at++;
	if (at >= track->segment_count)
		return false;
	*stretch = (struct flow_stretch){begin, end, at, 1, at + 1};
	for (at++; at < track->segment_count &&
	           stretch->end - stretch->begin < scale->mixed_below; at++) {
		if (segment_clip(scale, track, at, &begin, &end)) {
			if (end - begin >= scale->mixed_below)
				break;
			stretch->end = end;
		}
		stretch->count = at + 1 - stretch->first;
		stretch->next = at + 1;
	}
	return true;
}

unsigned flow_state_of(const struct timeline *timeline, const struct segment *segment)
{
	switch ((enum segment_kind)segment->kind) {
	case SEGMENT_RUN:
		return FLOW_RUNNING;
	case SEGMENT_RUNNABLE:
		return FLOW_RUNNABLE;
	case SEGMENT_STOPPED:
		return FLOW_STOPPED;
	case SEGMENT_WAIT:
		break;
	case SEGMENT_UNKNOWN:
	case SEGMENT_DEAD:
	case SEGMENT_NEW:
		return FLOW_UNKNOWN;
	}
	if (segment->detail & WAIT_FOR_WORK)
		return FLOW_FOR_WORK;
	return FLOW_WAIT + (segment->cause == CAUSE_NONE
	                            ? (unsigned)CAUSE_UNKNOWN
	                            : timeline_cause_at(timeline, segment->cause)->kind);
}

uint64_t flow_stretch_mix(const struct flow_scale *scale, const struct timeline *timeline,
                          const struct track *track, const struct flow_stretch *stretch,
                          nsec_t time[static FLOW_STATE_COUNT])
{
	uint64_t segments = 0;
	nsec_t begin, end;

	for (size_t at = stretch->first; at < stretch->first + stretch->count; at++) {
		if (!segment_clip(scale, track, at, &begin, &end))
			continue;
		time[flow_state_of(timeline, &track->segment[at])] += end - begin;
		segments++;
	}
	return segments;
}
