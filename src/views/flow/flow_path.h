/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a critical path, for pictures with limited room. If there are too many parts, short
 * neighbours are joined into one leg, even if they belong to different tasks, by the same rule as
 * for stretches (flow_stretch.h). A leg of several parts lists their times exactly, by task and
 * state.
 */
#pragma once

#include "flow_stretch.h"
#include "graph/walk/part_log.h"

/* The time that a leg of several parts spends in one state of one task. */
struct flow_leg_share {
	nsec_t time;
	uint32_t track;
	uint32_t next;  /* index of the next share of the same track; UINT32_MAX: none */
	unsigned state; /* enum flow_state */
};

/* Neighbours on the path, in most cases just one part. */
struct flow_leg {
	struct part part; /* the only part; for several, only its begin and end are valid */
	uint64_t parts;
	const struct flow_leg_share *share; /* for several parts: they sum to the leg, in order
	                                       of first appearance */
	size_t share_count;
};

struct flow_path {
	const struct part_log *log;
	size_t tracks;      /* number of tracks in the log's timeline */
	nsec_t mixed_below; /* shorter legs are joined until they reach it; 0: no parts are
	                       joined */
	uint64_t mixed;     /* number of parts in legs of several parts */
};

/* Sets the scale so that legs, plus the shares of legs with several parts, are at most `most`, if
   that is possible, and joins no more than necessary. O(parts) for each doubling of the scale. */
void flow_path_settle(struct flow_path *path, const struct part_log *log, size_t most);
/* Emits all legs, in order of time; what is passed is borrowed for the call. */
void flow_path_visit(const struct flow_path *path,
                     void (*on_leg)(void *state, const struct flow_leg *leg), void *state);
/* enum flow_state of a part. */
unsigned flow_state_of_part(const struct part *part);
