/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The owners of a lock over time, as the ends of the waits for it show them. A task that waits
 * while the lock changes hands waits for each owner in turn, though only the last owner wakes it.
 * If there are more than LOCK_TENURES, the least important one is forgotten: a short one of long
 * ago.
 */
#pragma once

#include <stdint.h>

#include "ftwait/nsec.h"

#define LOCK_TENURES 6

struct lock_tenure {
	nsec_t begin; /* or, if that is not known, the first instant at which a task is known to
	                 have waited */
	nsec_t end;
	uint32_t owner; /* a track; TRACK_NONE: not known */
	uint8_t confidence;
};

/* All zero: empty; newest first. */
struct lock_tenures {
	struct lock_tenure tenure[LOCK_TENURES];
	uint32_t count;
};

/* Adds `tenure`, which a wait has shown at its end: tenure->begin may be just the begin of that
   wait. Only the part after the known tenures is added. */
void lock_tenures_add(struct lock_tenures *tenures, const struct lock_tenure *tenure);
/* Divides a wait among the owners meanwhile, latest first, without gaps or overlaps; `last` has the
   wait's begin and end and its last owner, TRACK_NONE where a known tenure may show that. Returns
   the number of parts. */
uint32_t lock_tenures_within(const struct lock_tenures *tenures, const struct lock_tenure *last,
                             struct lock_tenure ret[LOCK_TENURES + 1]);
