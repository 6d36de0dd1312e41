/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window of --at trigger: from the begin of what fired the flight recorder's trigger until it
 * fired. If its task was waiting or runnable then, the window ends when that ends, so that its
 * cause is known. If what fired it has no duration, the window is TRIGGER_BEFORE_NS before it.
 */
#pragma once

#include "analysis.h"
#include "ftwait/trigger.h"

#define TRIGGER_BEFORE_NS UINT64_C(1000000000)

/*
 * Sets `from` and `to` of the question if it asks for that window; the recording must have a
 * trigger. The begin of the trace must be known; before its end is known, the window ends when the
 * trigger fired.
 */
void trigger_window_resolve(struct question *question);
/* The track of the trigger's task when it fired; TRACK_NONE: it had none, or the trace does not
   have it. `trigger` NULL: no trigger. */
uint32_t trigger_track_find(const struct timeline *timeline, const struct trigger_note *trigger);
