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

/* The aim of one wait, in the timeline's terms; aim_log.h has the members that trackers note. */
struct wait_aim {
	nsec_t begin;
	const struct cause_note *note; /* describes the object; NULL: not known */
	uint32_t holder;  /* track; TRACK_NONE */
	uint8_t kind;     /* enum aim_kind */
	uint8_t end;      /* enum aim_end */
	uint8_t purpose;  /* enum purpose */
};

/* The aim of a segment, which must be a wait. O(log n). */
struct wait_aim timeline_aim(const struct timeline *timeline, uint32_t track, size_t at);
/* What a part of a path waited for, by its cause alone: at least as vague as timeline_aim() is on
   the wait that it lies in. *ret_name: of the object; NULL: it has none. */
enum aim_kind timeline_cause_aim(const struct timeline *timeline, uint32_t track,
                                 const struct cause_note *note, const char **ret_name);
/* The kind and the name alone. */
struct brief_aim timeline_brief_aim(const struct timeline *timeline, uint32_t track, size_t at);
/* The same as results have it, the holder as of the end of the wait. */
struct aim timeline_aim_shown(const struct timeline *timeline, uint32_t track, size_t at);
