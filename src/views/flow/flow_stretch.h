/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The states of a track, cut to a window, for pictures with limited room. If there are too many
   stretches, short neighbours become one stretch, which lists the times of its states. */
#pragma once

#include "ftwait/flow.h"
#include "graph/timeline/timeline.h"

#define FLOW_MIXED_BELOW_MIN 1000u /* ns, the initial scale; it is doubled until the stretches
                                      are few enough */

/* Neighbours on a track, in most cases just one segment. */
struct flow_stretch {
	nsec_t begin, end;
	size_t first, count; /* segments of the track, including segments of length 0 */
	size_t next;         /* where to continue; 0 before the first */
};

struct flow_scale {
	nsec_t begin, end;  /* the window */
	nsec_t mixed_below; /* shorter stretches are joined until they reach it; 0: none are
	                       joined */
};

/*
 * Moves to the track's next stretch that has a length; returns false after the last one. A stretch
 * begins where the previous one ended, so nothing of a track's life is left out. Begin with a
 * zeroed stretch.
 */
bool flow_stretch_next(const struct flow_scale *scale, struct track *track,
                       struct flow_stretch *stretch);
/* enum flow_state of a segment. */
unsigned flow_state_of(const struct timeline *timeline, const struct segment *segment);
/* Adds the time of the stretch's segments to `time`, by state; returns the number of segments that
   have a length. */
uint64_t flow_stretch_mix(const struct flow_scale *scale, const struct timeline *timeline,
                          const struct track *track, const struct flow_stretch *stretch,
                          nsec_t time[static FLOW_STATE_COUNT]);
