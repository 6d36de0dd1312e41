/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What trackers note of the aims of tasks: aim_log.h. */
#pragma once

#include "graph/timeline/timeline.h"

/* Adds to the track's aim_log, if history is kept. `cause` says what it was for; NULL: `aim->cause`
   does, or nothing. An aim that overlaps the one before is dropped: the trackers that noted them
   saw the task want two things at once. */
void timeline_add_aim(struct timeline *timeline, uint32_t track, const struct aim_note *aim,
                      const struct cause_note *cause);
