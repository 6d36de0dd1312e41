/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a critical path, for pictures with limited room. If there are too many parts, short
 * neighbours are joined into one leg, even if they belong to different tasks, by the same rule as
 * for stretches. A leg of several parts lists their times exactly, by task and state.
 */
#pragma once

#include "base/text/buffer.h"
#include "ftwait/flow.h"
#include "graph/timeline/interval.h"
#include "graph/timeline/timeline.h"
#include "graph/walk/part_log.h"

/* The states of a track, cut to a window, for pictures with limited room. If there are too many
   stretches, short neighbours become one stretch, which lists the times of its states. */

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

/*
 * What devices did, as a flow shows it: a row for each disk, for the interrupts and for the
 * softirqs of each CPU, and for the work items of each machine. Memory is bounded: if there
 * are too many items, the longest disk requests and the longest of all other items are kept.
 */

#define FLOW_OBJECT_KINDS \
	(INTERVAL_MASK(INTERVAL_DISK) | INTERVAL_MASK(INTERVAL_IRQ) | \
	 INTERVAL_MASK(INTERVAL_SOFTIRQ) | INTERVAL_MASK(INTERVAL_WORK))
#define FLOW_OBJECTS_MAX (1u << 18) /* limit for disk requests, and again for all other items */

struct flow_item {
	nsec_t begin, started, end;
	uint64_t number; /* number of the disk or CPU; of work items that of the machine */
	uint64_t bytes;  /* only for disks */
	uint64_t what;   /* an interrupt's number, or the address of a work item's function */
	uint32_t task;   /* track; TRACK_NONE */
	uint32_t name;   /* id in names; 0: none */
	uint8_t kind;    /* enum interval_kind */
};

struct flow_heap {
	struct flow_item *item;
	size_t count, capacity;
	nsec_t least;      /* shorter items are left out */
	uint64_t left_out;
};

struct flow_objects {
	struct flow_heap disk, other;
};

void flow_objects_release(struct flow_objects *objects);
void flow_objects_add(struct flow_objects *objects, const struct hosts *hosts,
                      const struct interval *interval);
/* All items that touch the window, sorted by row and begin; the caller frees the array. */
struct flow_item *flow_objects_sort(const struct flow_objects *objects, nsec_t begin, nsec_t end,
                                    size_t *ret_count);
/* Whether two neighbours in that order belong to one row. */
bool flow_items_share_row(const struct flow_item *a, const struct flow_item *b);
/* The row that the item belongs to; clears and fills `label`. */
struct flow_row flow_item_row(const struct flow_item *item, const struct timeline *timeline,
                              struct buffer *label);
/* The name of the item. It is in `text` if it has to be composed. */
const char *flow_item_name(const struct flow_item *item, const struct timeline *timeline,
                           struct buffer *text);
