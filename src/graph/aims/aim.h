/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each wait was for, decided here and nowhere else: views, filters and sums by aim ask
 * timeline_aim(). Sources, best first:
 *
 *	aim_log    what a tracker of src/state saw the task want, from when it began to
 *	awaited.h  what sleeps with a time limit were for, inferred from all of them
 *	the wait   its cause, or the place that the task slept in
 *
 * The end of a wait does not change its kind: that is the same whether the task got what it wanted,
 * a limit or a signal ended it, or the trace did. Where nothing shows what the wait was for, its
 * aim is AIM_NONE.
 *
 * Order of calls: timeline_find_awaited() once the history is complete, then these.
 */
#pragma once

#include "ftwait/aim.h"
#include "graph/timeline/timeline.h"

/* The aim of one wait, in the timeline's terms; struct aim_note has the members that trackers
   note. */
struct wait_aim {
	nsec_t begin;
	const struct cause_note *note; /* describes the object; NULL: not known */
	uint32_t holder;  /* track; TRACK_NONE */
	uint8_t kind;     /* enum aim_kind */
	uint8_t end;      /* enum aim_end */
};

/* The aim of a segment, which must be a wait or a stop. O(log n). */
struct wait_aim timeline_aim(const struct timeline *timeline, uint32_t track, size_t at);
/* The kind alone, and the note that describes the object; NULL: not known. Faster for most waits,
   as only what ended them shows what they were for. */
enum aim_kind timeline_aim_kind(const struct timeline *timeline, uint32_t track, size_t at,
                                const struct cause_note **ret_note);
/* The same as results have it, the holder as of the end of the wait. */
struct aim timeline_aim_shown(const struct timeline *timeline, uint32_t track, size_t at);

/* The kind and the name alone, which belongs to the timeline: of a segment (one that is no wait has
   none; O(log n)), and of what that track waited for by the cause of a part of its wait alone,
   which is at least as vague; NULL: it is none. */
struct brief_aim brief_aim_of_segment(const struct timeline *timeline, uint32_t track, size_t at);
struct brief_aim brief_aim_of_cause(const struct timeline *timeline, uint32_t track,
                                    const struct cause_note *note);

/* The same as part of a key, which is compared as bytes. */
struct aim_key {
	uint32_t kind; /* enum aim_kind */
	uint32_t name; /* id in the timeline's names; 0: none */
};

static inline struct aim_key aim_key_of(struct timeline *timeline, struct brief_aim aim)
{
	return (struct aim_key){
		.kind = aim.kind,
		.name = aim.name ? intern_adds(&timeline->names, aim.name) : 0,
	};
}

struct brief_aim brief_aim_of_key(const struct timeline *timeline, const struct aim_key *key);

/* Aims of waits that were asked of, for callers that ask of all waits in turn: few causes end most
   of them. All 0 to begin with; valid until the history changes. */
#define AIMS_KNOWN 32u /* a power of 2 */

struct aim_cache {
	struct known_aim {
		uint32_t track;  /* + 1; 0: none */
		uint32_t cause;  /* of the wait's segment; by its last bits */
		uint8_t detail;  /* of the segment, too */
		struct aim_key key;
	} known[AIMS_KNOWN];
};

/* The kind alone, as timeline_aim_kind() returns it; the cache serves no other call. */
enum aim_kind timeline_aim_kind_cached(const struct timeline *timeline, uint32_t track, size_t at,
                                       struct aim_cache *cache);
/* The key of brief_aim_of_segment(), of a wait. */
struct aim_key aim_key_cached(struct timeline *timeline, uint32_t track, size_t at,
                              struct aim_cache *cache);
