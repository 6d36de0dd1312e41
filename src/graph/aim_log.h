/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a task was seen to want, beside its segments: trackers note it where the end of a wait does
 * not show it. Part of the timeline.
 *
 *	segments  RUN  WAIT      RUN WAIT      RUN WAIT(signal)
 *	aim            |--- flock /run/x -------------|
 *
 * Notes of one track follow each other in time and do not overlap.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ftwait/nsec.h"

struct aim_note {
	nsec_t begin, end; /* of the wish; waits that lie within it are for it */
	uint32_t cause;    /* index in the timeline's causes: of one that says what it was for, and
	                      names as the waker who had it; CAUSE_NONE: not known */
	uint8_t kind;      /* enum aim_kind */
	uint8_t how;       /* enum aim_end; AIM_SIGNAL: the task gave up, the last wait shows why */
};

struct aim_log {
	struct aim_note *note;
	size_t count, capacity;
};

/* Adds a note that begins when the last one ends, or later. */
void aim_log_add(struct aim_log *log, const struct aim_note *note);
/* Forgets those that ended by then. The log may be NULL, as in the other functions. */
void aim_log_trim(struct aim_log *log, nsec_t until);
void aim_log_free(struct aim_log *log);
/* The note that has [begin, end) in it; NULL: none. O(log n). */
const struct aim_note *aim_log_find(const struct aim_log *log, nsec_t begin, nsec_t end);
