/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a critical path, for pictures with limited room: if there are too many, short
 * neighbours are joined into one leg, whichever tasks they belong to, by the rule of stretches
 * (flow_stretch.h). A leg of several parts lists what it was made of, exact to the nanosecond.
 */
#pragma once

#include "flow_stretch.h"
#include "graph/part_log.h"

/* For a leg of several parts: its time in one state of one task. */
struct flow_leg_share {
	nsec_t time;
	uint32_t line;
	uint32_t next;  /* share of the same line; UINT32_MAX: none */
	unsigned state; /* enum flow_state */
};

/* Neighbours on the path, in most cases just one part. */
struct flow_leg {
	struct part part; /* the only part; for several, only its begin and end are valid */
	uint64_t parts;
	const struct flow_leg_share *share; /* of several parts: they sum to it, as they came */
	size_t share_count;
};

struct flow_path {
	const struct part_log *log;
	size_t lines;       /* number of lines in the log's timeline */
	nsec_t mixed_below; /* shorter ones are joined until they reach it; 0: none */
	uint64_t mixed;     /* parts in legs of several */
};

/*
 * Sets the scale so that legs, plus the shares of legs with several parts, are at most `max`, if
 * that is possible, and joins no more than necessary. O(parts) for each doubling of the scale.
 */
void flow_path_settle(struct flow_path *path, const struct part_log *log, size_t most);
/* Emits all legs, in order of time; what is passed is borrowed for the call. */
void flow_path_visit(const struct flow_path *path,
                     void (*on_leg)(void *state, const struct flow_leg *leg), void *state);
/* enum flow_state of a part. */
unsigned flow_state_of_part(const struct part *part);
