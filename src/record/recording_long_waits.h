/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at the long sleeps of all tasks (long_waits.h) while a stream is written that others may
 * follow: for these it writes STREAM_WAITS. In another thread, as the calling thread drains the
 * buffers.
 */
#pragma once

#include "recorder/run/recording_state.h"

/* After recording_flush_begin(), which decides whether there is such a stream. */
void recording_long_waits_begin(struct recording *recording);
/* Looks if it is time to; call it again at long_waits_at, or soon after. `time`: CLOCK_MONOTONIC.
   Four times a second, or as seldom as is needed for all looks to take no more than half a percent
   of one CPU in the long run, and as much for those at the tasks of -p in between. But the first
   round over the open files of all processes (end_table.h) is not counted. */
void recording_long_waits_tick(struct recording *recording, nsec_t time);
void recording_long_waits_end(struct recording *recording);
