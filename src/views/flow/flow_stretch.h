/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a line was in, cut to a window, for pictures that have room for so many stretches: where
 * there are more, neighbours that are short become one, which says what it was made of.
 */
#pragma once

#include "ftwait/flow.h"
#include "graph/timeline.h"

#define FLOW_MIXED_BELOW_MIN 1000u /* ns, where joining begins; doubled until it is enough */

/* Some neighbours on a line, in most cases one. */
struct flow_stretch {
	nsec_t begin, end;
	size_t first, count; /* segments of the line; those without length count too */
	size_t next;         /* where to look on; 0 before the first */
};

struct flow_scale {
	nsec_t begin, end;  /* the window */
	nsec_t mixed_below; /* shorter ones are joined until they are as long; 0: none */
};

/*
 * The line's next stretch that has a length; false: there is none. Begins where the one before
 * ended: nothing of a line's life is left out. A zeroed stretch is before the first.
 */
bool flow_stretch_next(const struct flow_scale *scale, struct line *line,
                       struct flow_stretch *stretch);
/* enum flow_state of a segment. */
unsigned flow_state_of(const struct timeline *timeline, const struct segment *segment);
/* What the stretch was made of: adds its segments' time to `time`, by state; how many had any. */
uint64_t flow_stretch_mix(const struct flow_scale *scale, const struct timeline *timeline,
                          const struct line *line, const struct flow_stretch *stretch,
                          nsec_t time[static FLOW_STATE_COUNT]);
