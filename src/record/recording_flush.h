/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For who reads the stream while it is written: at regular times the buffers are drained to the
 * last event, partly filled pages too, and STREAM_REACHED says up to which time that was. Without
 * it the last page of an idle CPU would come at the end of the recording.
 */
#pragma once

#include "recording_state.h"

#define FLUSH_DEFAULT_NS 1000000000u /* of pipes */

/* Decides whether and when; prints where --flush cannot be. When the recording begins. */
void recording_flush_begin(struct recording *recording);
/* Flushes if it is time for that. Returns 0, or -errno of the drain. */
int recording_flush_tick(struct recording *recording, nsec_t time);
