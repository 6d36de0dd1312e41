/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flushing lets a program read the stream while it is written. At regular times the recorder drains
 * the buffers completely, including partly filled pages, and writes a STREAM_REACHED block with the
 * time up to which the stream is complete. Without flushing, the last page of an idle CPU would be
 * written only at the end of the recording.
 */
#pragma once

#include "recorder/run/recording_state.h"

#define FLUSH_DEFAULT_NS 1000000000u /* of pipes */

/* Decides whether to flush, and how often. Warns if --flush has no effect. Call when the recording
   has begun. */
void recording_flush_begin(struct recording *recording);
/* Flushes if it is time for that. Returns 0, or -errno of the drain. */
int recording_flush_tick(struct recording *recording, nsec_t time);
