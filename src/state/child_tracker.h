/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which child a task waits for that has not ended yet. */
#pragma once

#include "state/core/tracker.h"

/* The only child of the task's process that lives, if all its children were seen to be forked;
   TRACK_NONE: it has several, or none, or others may live. Cost: O(tracks). */
uint32_t child_only(const struct machine *machine, uint32_t track);
