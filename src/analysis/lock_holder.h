/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a signal or a tracer stopped the task that held a lock while others waited for it. */
#pragma once

#include "base/text/buffer.h"
#include "graph/timeline/timeline.h"

/* For how long the task was stopped in [begin, end), as far as its segments are kept and have
   ended. O(segments since begin). */
nsec_t holder_stopped(const struct timeline *timeline, uint32_t track, nsec_t begin, nsec_t end);
/* ", which is stopped", ", which was stopped for 1.500 s of that": behind the cause of a wait in
   [begin, end) for a lock, which names its owner; nothing if the owner was not stopped for most of
   that. */
void holder_stopped_append(struct buffer *to, const struct timeline *timeline,
                           const struct cause_note *cause, nsec_t begin, nsec_t end);
