/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All trackers by enum tracker_id, for the machine, which calls their hooks. */
#pragma once

#include "tracker.h"

extern const struct tracker *const trackers[TRACKER_COUNT];

/* Loops over a set of trackers, in the order of the table. */
#define TRACKERS_EACH(set, tracker)                                                           \
	for (tracker_set left_ = (set);                                                          \
	     left_ && ((tracker) = trackers[__builtin_ctzll(left_)], true); left_ &= left_ - 1)
