/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a critical path, for pictures that have room for so many: where there are more,
 * neighbours that are short become one leg, of whichever tasks they are, by the rule of stretches
 * (flow_stretch.h). A leg of several parts says what it was made of, to the nanosecond.
 */
#pragma once

#include "flow_stretch.h"
#include "graph/part_log.h"

/* Of a leg of several: what it was in one task's one state. */
struct flow_leg_share {
	nsec_t time;
	uint32_t line;
	uint32_t next;  /* share of the same line; UINT32_MAX: none */
	unsigned state; /* enum flow_state */
};

/* Some neighbours on the path, in most cases one. */
struct flow_leg {
	struct part part; /* the only one; of several all but its begin and end says nothing */
	uint64_t parts;
	const struct flow_leg_share *share; /* of several; they sum to it, as they came */
	size_t share_count;
};

struct flow_path {
	const struct part_log *log;
	size_t lines;       /* of the log's timeline */
	nsec_t mixed_below; /* shorter ones are joined until they are as long; 0: none */
	uint64_t mixed;     /* parts in legs of several */
};

/*
 * Sets the scale so that legs and, of those of several parts, their shares are at most so many
 * together, if that can be; joins no more than it must. O(parts) for each doubling of the scale.
 */
void flow_path_settle(struct flow_path *path, const struct part_log *log, size_t most);
/* Tells of all legs, by time; what it hands over is borrowed for the call. */
void flow_path_tell(const struct flow_path *path,
                    void (*on_leg)(void *state, const struct flow_leg *leg), void *state);
/* enum flow_state of a part. */
unsigned flow_state_of_part(const struct part *part);
